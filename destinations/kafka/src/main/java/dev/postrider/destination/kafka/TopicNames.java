package dev.postrider.destination.kafka;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.util.Optional;
import java.util.function.Function;

/** Finds the Kafka topic of a message. */
final class TopicNames {

    private static final int MAX_LENGTH = 249;

    private final Function<OutboxMessage, Optional<String>> mapping;
    private final Optional<String> fallback;
    private final boolean allowsInternal;

    /** Most messages go where the one before went; a stale value only costs a check. */
    private String lastValid = "";

    TopicNames(Function<OutboxMessage, Optional<String>> mapping, Optional<String> fallback, boolean allowsInternal) {
        this.mapping = mapping;
        this.fallback = fallback;
        this.allowsInternal = allowsInternal;
    }

    String topicOf(OutboxMessage message) {
        String topic = mapping.apply(message)
                .or(() -> fallback)
                .orElseThrow(() -> new InvalidMessageException(
                        "topic", "'" + message.topic() + "' is mapped to no Kafka topic, and there is no default"));
        if (!topic.equals(lastValid)) {
            check(topic);
            lastValid = topic;
        }
        return topic;
    }

    private void check(String topic) {
        if (!isValid(topic)) {
            throw new InvalidMessageException(
                    "topic",
                    "'" + topic
                            + "' is no name for a Kafka topic: 1 to 249 letters, digits, dots, underscores and dashes, but not . or ..");
        }
        if (!allowsInternal && topic.startsWith("_")) {
            throw new InvalidMessageException(
                    "topic",
                    "'" + topic
                            + "' begins with an underscore, as topics of Kafka and its tools do, such as __consumer_offsets and _schemas."
                            + " Correct the topic, or allow such topics by allowInternalTopics");
        }
    }

    /** A loop, since this runs for every message. */
    static boolean isValid(String topic) {
        for (int i = 0; i < topic.length(); i++) {
            if (!isAllowed(topic.charAt(i))) {
                return false;
            }
        }
        return !topic.isEmpty() && topic.length() <= MAX_LENGTH && !topic.equals(".") && !topic.equals("..");
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
    }
}
