package dev.postrider.service;

import dev.postrider.service.config.Section;
import dev.postrider.service.destination.DestinationTypes;
import dev.postrider.spi.Destination;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The section {@code destinations}: what each is, and which outboxes use it. Immutable; types and keys are checked. */
final class DestinationSections {

    private final DestinationTypes types;
    private final Map<String, Section> byName;

    DestinationSections(Map<String, Section> byName) {
        this.types = DestinationTypes.onClassPath();
        this.byName = byName;
        byName.values().forEach(types::check);
    }

    Set<String> names() {
        return byName.keySet();
    }

    /** Refuses one that several outboxes share and that is for one only. */
    void checkUse(Collection<OutboxConfig> outboxes) {
        byName.forEach((name, section) -> types.checkUse(section, usersOf(name, outboxes)));
    }

    private static List<String> usersOf(String destination, Collection<OutboxConfig> outboxes) {
        return outboxes.stream()
                .filter(outbox -> outbox.routes().destinations().contains(destination))
                .map(OutboxConfig::name)
                .toList();
    }

    /** Makes those that these outboxes need, by name. */
    Map<String, Destination> create(Collection<OutboxConfig> outboxes) {
        return create(outboxes, types::create);
    }

    Map<String, Destination> create(
            Collection<OutboxConfig> outboxes, BiFunction<String, Section, Destination> factory) {
        Map<String, Destination> created = new LinkedHashMap<>();
        try {
            byName.forEach((name, section) -> {
                if (!usersOf(name, outboxes).isEmpty()) {
                    created.put(name, factory.apply(name, section));
                }
            });
            return created;
        } catch (RuntimeException wrong) {
            created.values().forEach(Destination::close);
            throw wrong;
        }
    }
}
