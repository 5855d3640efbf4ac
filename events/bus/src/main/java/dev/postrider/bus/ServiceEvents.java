package dev.postrider.bus;

import dev.postrider.spi.EventTopics;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All events of one service, as generated code lists them: for setting up a broker and for registering handlers by name. Immutable.
 */
public final class ServiceEvents implements EventTopics {

    private final String service;
    private final Map<String, EventType<?>> byEvent;

    private ServiceEvents(String service, Map<String, EventType<?>> byEvent) {
        this.service = service;
        this.byEvent = Collections.unmodifiableMap(byEvent);
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
        return new ServiceEvents(service, byEvent);
    }

    public String service() {
        return service;
    }

    /** The types of the service's events, in the order in which they were listed. */
    public Collection<EventType<?>> types() {
        return byEvent.values();
    }

    @Override
    public Map<String, String> topicsByType() {
        Map<String, String> topics = new LinkedHashMap<>();
        types().forEach(type -> topics.put(type.name(), type.topic()));
        return topics;
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
        return new EventType<>(type.name(), dataClass, type.topic(), type.defaultKey());
    }
}
