package dev.postrider.spring.boot.test;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spring.OutboxEvent;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** What can be said about the outbox of a test. */
public final class PostriderAssert extends AbstractAssert<PostriderAssert, AssertablePostrider> {

    PostriderAssert(AssertablePostrider actual) {
        super(actual, PostriderAssert.class);
    }

    /** At least one event of this class was written; what follows is about all of them. */
    public EnqueuedAssert enqueued(Class<?> event) {
        return enqueued(typeOf(event));
    }

    /** At least one message of this type was written; what follows is about all of them. */
    public EnqueuedAssert enqueued(String type) {
        List<OutboxMessage> found = ofType(type);
        if (found.isEmpty()) {
            failWithMessage(
                    "Expected a message of type <%s>, but the outbox has %s", type, descriptions(actual.messages()));
        }
        return new EnqueuedAssert(found);
    }

    /** No event of this class was written. */
    public PostriderAssert notEnqueued(Class<?> event) {
        List<OutboxMessage> found = ofType(typeOf(event));
        if (!found.isEmpty()) {
            failWithMessage(
                    "Expected no message of type <%s>, but the outbox has %s", typeOf(event), descriptions(found));
        }
        return this;
    }

    /** Nothing at all was written. */
    public PostriderAssert hasNothing() {
        if (!actual.messages().isEmpty()) {
            failWithMessage("Expected nothing, but the outbox has %s", descriptions(actual.messages()));
        }
        return this;
    }

    private List<OutboxMessage> ofType(String type) {
        return actual.messages().stream()
                .filter(message -> message.type().equals(type))
                .toList();
    }

    private static String typeOf(Class<?> event) {
        OutboxEvent annotation = AnnotatedElementUtils.findMergedAnnotation(event, OutboxEvent.class);
        return annotation == null || annotation.type().isEmpty() ? nameOf(event) : annotation.type();
    }

    private static String nameOf(Class<?> event) {
        String name = event.getCanonicalName();
        return name == null ? event.getName() : name;
    }

    static List<String> descriptions(List<OutboxMessage> messages) {
        return messages.stream()
                .map(message -> "%s of %s with key %s"
                        .formatted(
                                message.type(), message.topic(), message.key().orElse("none")))
                .toList();
    }
}
