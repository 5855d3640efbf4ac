package dev.postrider.bus;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All events of one service, as generated code lists them: for setting up a broker and for registering handlers by name. Immutable.
 */
public final class ServiceEvents {

    private final String service;
    private final Map<String, EventType<?>> byEvent;
    private final Map<EventType<?>, String> topics;

    private ServiceEvents(String service, Map<String, EventType<?>> byEvent, Map<EventType<?>, String> topics) {
        this.service = service;
        this.byEvent = Collections.unmodifiableMap(byEvent);
        this.topics = Map.copyOf(topics);
    }

    /**
     * The events of this service.
     *
     * @param service what stands before the last dot in the name of every type
     */
    public static ServiceEvents of(String service, List<EventType<?>> types) {
        Map<String, EventType<?>> byEvent = new LinkedHashMap<>();
        for (EventType<?> type : types) {
            if (!type.service().equals(service)) {
                throw new IllegalArgumentException(
                        "Event type " + type.name() + " belongs to " + type.service() + ", not to " + service);
            }
            if (byEvent.put(type.event(), type) != null) {
                throw new IllegalArgumentException("Event type " + type.name() + " is listed twice");
            }
        }
        return new ServiceEvents(service, byEvent, Map.of());
    }

    /**
     * The same, where one event goes to a topic of its own.
     *
     * @throws IllegalArgumentException if the service has no such event
     */
    public ServiceEvents withTopic(EventType<?> type, String topic) {
        requireListed(type);
        Map<EventType<?>, String> more = new HashMap<>(topics);
        more.put(type, Objects.requireNonNull(topic, "topic"));
        return new ServiceEvents(service, byEvent, more);
    }

    public String service() {
        return service;
    }

    /** In the order in which they were listed. */
    public Collection<EventType<?>> types() {
        return byEvent.values();
    }

    /**
     * Where an event goes at the broker unless a publisher says otherwise: a topic of its own, or the service.
     *
     * @throws IllegalArgumentException if the service has no such event
     */
    public String topicOf(EventType<?> type) {
        requireListed(type);
        return topics.getOrDefault(type, service);
    }

    private void requireListed(EventType<?> type) {
        if (!byEvent.containsValue(type)) {
            throw new IllegalArgumentException("Event type " + type.name() + " is none of service " + service);
        }
    }

    /**
     * The type of one event.
     *
     * @param event what stands after the last dot
     * @throws RegistrationException if the service has no such event, or its data are of another class
     */
    public <T> EventType<T> type(String event, Class<T> dataClass) {
        EventType<?> type = byEvent.get(event);
        if (type == null) {
            throw new RegistrationException(
                    "Service " + service + " has no event '" + event + "'; it has " + byEvent.keySet());
        }
        if (type.dataClass() != dataClass) {
            throw new RegistrationException("The data of " + type.name() + " are "
                    + type.dataClass().getName() + ", not " + dataClass.getName());
        }
        return EventType.of(type.name(), dataClass);
    }
}
