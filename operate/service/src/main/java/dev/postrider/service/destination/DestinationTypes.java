package dev.postrider.service.destination;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.NearestName;
import dev.postrider.service.config.Section;
import dev.postrider.service.destination.DestinationFactory.Key;
import dev.postrider.spi.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** All types of destinations on the class path. Immutable. */
@Internal
public final class DestinationTypes {

    private static final String TYPE = "type";

    private final List<DestinationFactory> factories;

    DestinationTypes(List<DestinationFactory> factories) {
        this.factories = List.copyOf(factories);
    }

    /** Without those whose client is not there: an application may leave out what it does not use. */
    public static DestinationTypes onClassPath() {
        return new DestinationTypes(ServiceLoader.load(DestinationFactory.class).stream()
                .flatMap(provider -> loaded(provider).stream())
                .toList());
    }

    private static Optional<DestinationFactory> loaded(ServiceLoader.Provider<DestinationFactory> provider) {
        try {
            return Optional.of(provider.get());
        } catch (ServiceConfigurationError | NoClassDefFoundError failure) {
            if (failure instanceof NoClassDefFoundError || failure.getCause() instanceof NoClassDefFoundError) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** In the order in which they were found. */
    public List<DestinationFactory> factories() {
        return factories;
    }

    /** Checks the type and the keys of a section, but not its values. */
    public void check(Section section) {
        List<String> known = new ArrayList<>(List.of(TYPE));
        factory(section).keys().stream().map(Key::name).forEach(known::add);
        section.allow(known);
    }

    /** Makes the destination of a section that was checked; it is not connected yet. */
    public Destination create(String name, Section section) {
        return factory(section).create(name, section);
    }

    /**
     * Refuses a destination that these outboxes would share, if it is for one only.
     *
     * @param outboxes the names of those that use it
     */
    public void checkUse(Section section, List<String> outboxes) {
        if (outboxes.size() > 1 && factory(section).isForOneOutbox(section)) {
            throw section.refuse("is for one outbox only, but outboxes " + String.join(", ", outboxes)
                    + " use it; give each a destination of its own");
        }
    }

    private DestinationFactory factory(Section section) {
        String type = section.requireText(TYPE);
        List<String> types = factories.stream().map(DestinationFactory::type).toList();
        return factories.stream()
                .filter(factory -> factory.type().equals(type))
                .findFirst()
                .orElseThrow(() -> section.refuse(
                        TYPE,
                        "is '" + type + "'" + NearestName.hint(type, types) + " There are "
                                + String.join(", ", types)));
    }
}
