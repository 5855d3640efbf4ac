package dev.postrider.destination.kafka;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Finds the Kafka topic of a message. */
final class TopicNames {

    private static final Pattern VALID = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final Function<OutboxMessage, Optional<String>> mapping;
    private final Optional<String> fallback;

    TopicNames(Function<OutboxMessage, Optional<String>> mapping, Optional<String> fallback) {
        this.mapping = mapping;
        this.fallback = fallback;
    }

    String topicOf(OutboxMessage message) {
        String topic = mapping.apply(message)
                .or(() -> fallback)
                .orElseThrow(() -> new InvalidMessageException(
                        "topic", "'" + message.topic() + "' is mapped to no Kafka topic, and there is no default"));
        if (!isValid(topic)) {
            throw new InvalidMessageException(
                    "topic",
                    "'" + topic
                            + "' is no name for a Kafka topic: 1 to 249 letters, digits, dots, underscores and dashes, but not . or ..");
        }
        return topic;
    }

    static boolean isValid(String topic) {
        return VALID.matcher(topic).matches() && !topic.equals(".") && !topic.equals("..");
    }
}
