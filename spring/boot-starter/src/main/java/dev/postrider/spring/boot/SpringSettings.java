package dev.postrider.spring.boot;

import dev.postrider.service.config.Section;
import dev.postrider.service.config.ValueFormat;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What an outbox can be told in an application and not in a configuration file.
 *
 * @param dataSource the name of the bean with its database; empty for the only or the primary one
 * @param source the CloudEvents source of messages that name none
 * @param hasRelay whether this process relays
 * @param hasOwnPool whether the relay has connections of its own
 * @param flushesJpa whether a persistence context is flushed before a message is written
 */
record SpringSettings(
        Optional<String> dataSource,
        Optional<String> source,
        boolean hasRelay,
        boolean hasOwnPool,
        boolean flushesJpa) {

    /**
     * One key.
     *
     * @param path below an outbox
     * @param form what its value looks like
     */
    record Key<T>(String path, ValueFormat<T> form, String standard, String meaning) {

        String name() {
            return path.substring(path.indexOf('.') + 1);
        }

        Optional<T> read(Section outbox) {
            int dot = path.indexOf('.');
            Optional<Section> section = dot < 0 ? Optional.of(outbox) : outbox.section(path.substring(0, dot));
            return section.flatMap(found -> found.text(name()).map(text -> parse(found, text)));
        }

        private T parse(Section section, String text) {
            try {
                return form.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw section.refuse(name(), String.valueOf(wrong.getMessage()));
            }
        }
    }

    private static final Key<String> DATA_SOURCE = new Key<>(
            "data-source",
            ValueFormat.TEXT,
            "the only or the primary one",
            "The name of the bean of type DataSource with the outbox and your data.");

    private static final Key<String> SOURCE = new Key<>(
            "source",
            ValueFormat.TEXT,
            "a slash and spring.application.name",
            "The CloudEvents source of messages that name none.");

    private static final Key<Boolean> RELAY = new Key<>(
            "relay.enabled",
            ValueFormat.FLAG,
            "true",
            "Whether this application relays; set it to false if another one does.");

    private static final Key<Boolean> OWN_POOL = new Key<>(
            "relay.own-pool",
            ValueFormat.FLAG,
            "true",
            "Whether the relay has a small pool of connections of its own, with the settings of the application's"
                    + " HikariCP pool.");

    private static final Key<Boolean> FLUSH = new Key<>(
            "jpa.flush",
            ValueFormat.FLAG,
            "true",
            "Whether a JPA persistence context is flushed before a message is written, so that your rows are locked"
                    + " first.");

    static final List<Key<?>> ALL = List.of(DATA_SOURCE, SOURCE, RELAY, OWN_POOL, FLUSH);

    /** {@code jpa} as a whole, so that nothing of it is left. */
    static Collection<String> paths() {
        return ALL.stream().map(Key::path).toList();
    }

    static SpringSettings read(Section outbox) {
        outbox.section("jpa").ifPresent(jpa -> jpa.allow(List.of(FLUSH.name())));
        return new SpringSettings(
                DATA_SOURCE.read(outbox),
                SOURCE.read(outbox),
                RELAY.read(outbox).orElse(true),
                OWN_POOL.read(outbox).orElse(true),
                FLUSH.read(outbox).orElse(true));
    }
}
