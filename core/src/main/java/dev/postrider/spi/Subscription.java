package dev.postrider.spi;

import java.util.Objects;
import java.util.Set;

/**
 * Who wants to receive what.
 *
 * @param subscriber the name of the consuming service or module, such as {@code billing}; receivers derive queue and group names from
 *     it
 * @param types the event types to bind to, such as {@code example.books.v1.BookCreated}; empty for all
 */
public record Subscription(String subscriber, Set<String> types) {

    public Subscription {
        Objects.requireNonNull(subscriber, "subscriber");
        if (subscriber.isBlank()) {
            throw new IllegalArgumentException("subscriber is blank, expected a name such as billing");
        }
        types = Set.copyOf(types);
    }

    /** A subscription to everything that reaches the receiver. */
    public static Subscription toAll(String subscriber) {
        return new Subscription(subscriber, Set.of());
    }
}
