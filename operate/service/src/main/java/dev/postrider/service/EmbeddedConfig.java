package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.Section;
import dev.postrider.spi.Destination;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The configuration of an application that has its data sources already, in the keys of a configuration file: of a single outbox
 * directly, of several below {@code outboxes}. Immutable; checked as far as that is possible before the destinations are known.
 */
@Internal
public final class EmbeddedConfig {

    /** What a single outbox is called. */
    public static final String SINGLE = "outbox";

    private static final String DESTINATIONS = "destinations";
    private static final String OUTBOXES = "outboxes";

    private final Section root;
    private final DestinationSections destinations;
    private final Map<String, OutboxConfig> outboxes;

    private EmbeddedConfig(Section root, DestinationSections destinations, Map<String, OutboxConfig> outboxes) {
        this.root = root;
        this.destinations = destinations;
        this.outboxes = outboxes;
    }

    /** @param foreign keys of an outbox that somebody else reads, such as {@code relay.enabled} */
    public static EmbeddedConfig read(Section root, Collection<String> foreign) {
        Map<String, OutboxConfig> outboxes = new LinkedHashMap<>();
        sections(root).forEach((name, section) -> outboxes.put(name, OutboxConfig.embedded(section.without(foreign))));
        return new EmbeddedConfig(root, new DestinationSections(root.sections(DESTINATIONS)), outboxes);
    }

    /** The keys that may stand at the top: those of a single outbox, and those for all. */
    public static Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>(OutboxConfig.embeddedKeys());
        keys.addAll(List.of(DESTINATIONS, OUTBOXES));
        return keys;
    }

    /** The section of each outbox by its name. */
    public static Map<String, Section> sections(Section root) {
        Section single = root.without(List.of(DESTINATIONS, OUTBOXES));
        Map<String, Section> several = root.sections(OUTBOXES);
        if (several.isEmpty()) {
            return Map.of(SINGLE, single);
        }
        single.names().stream().findFirst().ifPresent(key -> {
            throw single.refuse(key, "stands beside 'outboxes'; move it to an outbox below that");
        });
        return several;
    }

    /** By name; those of {@link #routed} know their routes. */
    public Map<String, OutboxConfig> outboxes() {
        return outboxes;
    }

    /**
     * The same with routes, to destinations of the configuration and to these.
     *
     * @param made the names of destinations that the application has made itself
     */
    public EmbeddedConfig routed(Collection<String> made) {
        Set<String> names = new LinkedHashSet<>(destinations.names());
        for (String name : made) {
            if (!names.add(name)) {
                throw root.refuse("there are two destinations '" + name
                        + "', and at least one of them was made by the application; rename it");
            }
        }
        if (names.isEmpty()) {
            throw root.refuse(
                    "there is no destination. Set destinations.NAME.type to kafka, rabbitmq, nats or log, define a"
                            + " bean of type Destination, or set relay.enabled to false if another process relays");
        }
        Map<String, OutboxConfig> routed = new LinkedHashMap<>();
        outboxes.forEach((name, outbox) -> routed.put(name, outbox.routed(names)));
        destinations.checkUse(routed.values());
        return new EmbeddedConfig(root, destinations, routed);
    }

    /** Makes the configured destinations that outboxes need, by name. They connect by themselves; the caller closes them. */
    public Map<String, Destination> createDestinations(BiFunction<String, Section, Destination> factory) {
        return destinations.create(outboxes.values(), factory);
    }
}
