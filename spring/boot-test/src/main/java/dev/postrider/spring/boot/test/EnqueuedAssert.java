package dev.postrider.spring.boot.test;

import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/** Messages of one type that were written; each step leaves those that match, and fails if there is none. */
public final class EnqueuedAssert extends AbstractAssert<EnqueuedAssert, List<OutboxMessage>> {

    EnqueuedAssert(List<OutboxMessage> messages) {
        super(messages, EnqueuedAssert.class);
    }

    public EnqueuedAssert withKey(String key) {
        return matching(
                "key " + key, message -> message.key().filter(key::equals).isPresent());
    }

    public EnqueuedAssert withTopic(String topic) {
        return matching("topic " + topic, message -> message.topic().equals(topic));
    }

    public EnqueuedAssert withHeader(String name, String value) {
        return matching(
                "header " + name + "=" + value,
                message -> message.headers().get(name).filter(value::equals).isPresent());
    }

    /** The payload as text, such as JSON, is exactly this. */
    public EnqueuedAssert withPayload(String text) {
        return matching(
                "payload " + text, message -> new String(message.payload(), StandardCharsets.UTF_8).equals(text));
    }

    /** This many are left. */
    public EnqueuedAssert times(int count) {
        if (actual.size() != count) {
            failWithMessage("Expected %s messages, but there are %s", count, PostriderAssert.descriptions(actual));
        }
        return this;
    }

    private EnqueuedAssert matching(String what, Predicate<OutboxMessage> condition) {
        List<OutboxMessage> found = actual.stream().filter(condition).toList();
        if (found.isEmpty()) {
            failWithMessage("Expected a message with %s, but there are %s", what, PostriderAssert.descriptions(actual));
        }
        return new EnqueuedAssert(found);
    }
}
