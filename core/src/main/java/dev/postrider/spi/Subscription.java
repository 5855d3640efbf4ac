package dev.postrider.spi;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Who wants to receive what.
 *
 * @param subscriber the name of the consuming service or module, such as {@code billing}; receivers derive queue and group names from
 *     it
 * @param types the event types to bind to, such as {@code example.books.v1.BookCreated}; empty for all
 * @param topics where events go, by their types, if not to the service that stands before the last dot of the type
 */
public record Subscription(String subscriber, Set<String> types, Map<String, String> topics) {

    public Subscription {
        Objects.requireNonNull(subscriber, "subscriber");
        if (subscriber.isBlank()) {
            throw new IllegalArgumentException("subscriber is blank, expected a name such as billing");
        }
        types = Set.copyOf(types);
        topics = Map.copyOf(topics);
    }

    /** A subscription to events that go to the service of their type. */
    public Subscription(String subscriber, Set<String> types) {
        this(subscriber, types, Map.of());
    }

    /** Where events of this type go, if not to its service. */
    public Optional<String> topicOf(String type) {
        return Optional.ofNullable(topics.get(type));
    }

    /** A subscription to everything that reaches the receiver. */
    public static Subscription toAll(String subscriber) {
        return new Subscription(subscriber, Set.of());
    }
}
