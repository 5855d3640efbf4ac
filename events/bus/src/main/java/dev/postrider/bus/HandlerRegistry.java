package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Which handler serves which type. For the thread that sets up a subscriber, and read-only afterwards. */
final class HandlerRegistry {

    private final Map<String, RegisteredHandler<?>> byType = new LinkedHashMap<>();
    private final Map<String, String> topics = new LinkedHashMap<>();
    private final Map<String, String> defaultKeys = new LinkedHashMap<>();
    private Optional<RegisteredHandler<?>> rest = Optional.empty();

    <T> void add(EventType<T> type, EventHandler<? super T> handler) {
        Objects.requireNonNull(handler, "handler of " + type.name());
        put(type.name(), RegisteredHandler.ofData(type, handler));
        topics.put(type.name(), type.topic());
        type.defaultKey().ifPresent(key -> defaultKeys.put(type.name(), key));
    }

    void addMessages(String type, EventHandler<OutboxMessage> handler) {
        EventType.check(type);
        Objects.requireNonNull(handler, "handler");
        put(type, RegisteredHandler.ofMessages(handler));
    }

    private void put(String type, RegisteredHandler<?> handler) {
        if (byType.putIfAbsent(type, handler) != null) {
            throw new RegistrationException(
                    "Event type " + type + " has a handler already; an event is handled once per subscriber");
        }
    }

    void addFallback(EventHandler<OutboxMessage> handler) {
        Objects.requireNonNull(handler, "handler");
        if (rest.isPresent()) {
            throw new RegistrationException("There is a handler for all other event types already");
        }
        rest = Optional.of(RegisteredHandler.ofMessages(handler));
    }

    Optional<RegisteredHandler<?>> find(String type) {
        RegisteredHandler<?> own = byType.get(type);
        return own != null ? Optional.of(own) : rest;
    }

    boolean isEmpty() {
        return byType.isEmpty() && rest.isEmpty();
    }

    /** Where events go that have handlers, by their types. */
    Map<String, String> topics() {
        return topics;
    }

    /** The keys of events that arrive without one, by their types. */
    Map<String, String> defaultKeys() {
        return defaultKeys;
    }

    /** The types to bind to; empty for all. */
    Set<String> types() {
        return rest.isPresent() ? Set.of() : Set.copyOf(byType.keySet());
    }
}
