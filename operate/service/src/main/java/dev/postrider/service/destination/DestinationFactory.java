package dev.postrider.service.destination;

import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.spi.Destination;
import java.util.Collection;
import java.util.List;

/**
 * Makes destinations of one type from a section of the configuration file.
 *
 * <p>Found by {@link java.util.ServiceLoader}: a jar on the class path that names its factory in
 * {@code META-INF/services/dev.postrider.service.destination.DestinationFactory} adds a type.
 */
public interface DestinationFactory {

    /** What stands behind {@code type:} in the file. */
    String type();

    /** One sentence for the reference. */
    String meaning();

    /** The keys that this type takes beside {@code type}, for checks and for the reference. */
    List<Key> keys();

    /**
     * Reads the section and makes the destination. Must not connect: a broker that is down is an outage, which the relay
     * waits out. Only keys of {@link #keys()} are in the section.
     *
     * @throws dev.postrider.service.config.ConfigException for a wrong value, with its line
     */
    Destination create(String name, Section section);

    /** Whether a destination of this section must not be shared by several outboxes. */
    default boolean isForOneOutbox(Section section) {
        return false;
    }

    /**
     * One key of the section, for people.
     *
     * @param form what its value looks like
     * @param standard what holds when it is not given; {@link Setting#OF_BUILDER} where the builder says it
     */
    record Key(String name, String form, String standard, String meaning) {

        /** The keys that these settings read. */
        public static List<Key> of(Collection<? extends Setting<?>> settings) {
            return settings.stream()
                    .map(setting -> new Key(setting.name(), setting.form(), setting.standard(), setting.meaning()))
                    .toList();
        }
    }
}
