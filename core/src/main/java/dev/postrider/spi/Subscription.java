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
 * @param defaultKeys the keys of events that arrive without one, by their types; receivers keep the order of these too
 */
public record Subscription(
        String subscriber, Set<String> types, Map<String, String> topics, Map<String, String> defaultKeys) {

    public Subscription {
        Objects.requireNonNull(subscriber, "subscriber");
        if (subscriber.isBlank()) {
            throw new IllegalArgumentException("subscriber is blank, expected a name such as billing");
        }
        types = Set.copyOf(types);
        topics = Map.copyOf(topics);
        defaultKeys = Map.copyOf(defaultKeys);
    }

    /** A subscription to events that go to the service of their type. */
    public Subscription(String subscriber, Set<String> types) {
        this(subscriber, types, Map.of(), Map.of());
    }

    /** Where events of this type go, if not to its service. */
    public Optional<String> topicOf(String type) {
        return Optional.ofNullable(topics.get(type));
    }

    /** Whether events of this type are wanted. */
    public boolean includes(String type) {
        return types.isEmpty() || types.contains(type);
    }

    /** The key of events of this type that arrive without one, if they have an order. */
    public Optional<String> defaultKeyOf(String type) {
        return Optional.ofNullable(defaultKeys.get(type));
    }

    /** A subscription to everything that reaches the receiver. */
    public static Subscription toAll(String subscriber) {
        return new Subscription(subscriber, Set.of());
    }
}
