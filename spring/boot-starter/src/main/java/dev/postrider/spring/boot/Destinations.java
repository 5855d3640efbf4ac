package dev.postrider.spring.boot;

import static java.util.Objects.requireNonNull;

import dev.postrider.service.EmbeddedConfig;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.config.Section;
import dev.postrider.spi.Destination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** All destinations of the application, configured ones and beans, and the routes to them. Closes those that it has made. */
final class Destinations implements AutoCloseable {

    private final EmbeddedConfig config;
    private final Map<String, Destination> made;
    private final Map<String, Destination> all;

    Destinations(EmbeddedConfig config, List<Destination> beans, BiFunction<String, Section, Destination> factory) {
        this.config = config.routed(beans.stream().map(Destination::name).toList());
        this.made = this.config.createDestinations(factory);
        this.all = new LinkedHashMap<>(made);
        beans.forEach(bean -> all.put(bean.name(), bean));
    }

    Map<String, Destination> byName() {
        return all;
    }

    /** With routes. */
    OutboxConfig outbox(String name) {
        return requireNonNull(config.outboxes().get(name));
    }

    @Override
    public void close() {
        made.values().forEach(Destination::close);
    }
}
