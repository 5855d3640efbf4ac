package dev.postrider.bus;

import java.util.Objects;
import java.util.Optional;

/**
 * A kind of event: its name on the wire and the class of its data.
 *
 * <p>The name is {@code <service>.<event>}, split at the last dot, as in {@code example.books.v1.BookCreated}: the service is what brokers
 * call topic or exchange, the event what they route by.
 *
 * @param topic where such events go at the broker unless a publisher says otherwise; by default the service
 * @param defaultKey the key of such events unless a publisher says otherwise, and of those that arrive without one; by default none
 * @param <T> the data of such events
 */
public record EventType<T>(String name, Class<T> dataClass, String topic, Optional<String> defaultKey) {

    /** @throws InvalidEventTypeException if the name has no service or no event */
    public EventType {
        check(name);
        Objects.requireNonNull(dataClass, "dataClass");
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(defaultKey, "defaultKey");
    }

    /** @throws InvalidEventTypeException if the name has no service or no event */
    public static <T> EventType<T> of(String name, Class<T> dataClass) {
        check(name);
        return new EventType<>(name, dataClass, serviceOf(name), Optional.empty());
    }

    /** The same for events that go to a topic of their own; publishers and receivers both know it by the type. */
    public EventType<T> withTopic(String other) {
        return new EventType<>(name, dataClass, other, defaultKey);
    }

    /**
     * The same for events that have this key if nothing else gives them one: they are delivered in order with all others of it. Receivers hand events
     * that arrive without a key over in that order too, one at a time.
     */
    public EventType<T> withDefaultKey(String key) {
        return new EventType<>(name, dataClass, topic, Optional.of(key));
    }

    /** What stands before the last dot. */
    public String service() {
        return serviceOf(name);
    }

    private static String serviceOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    /** What stands after the last dot. */
    public String event() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    static void check(String name) {
        Objects.requireNonNull(name, "name");
        boolean hasEmptyPart = name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.contains("..");
        if (hasEmptyPart || name.indexOf('.') < 0) {
            throw new InvalidEventTypeException(name);
        }
    }
}
