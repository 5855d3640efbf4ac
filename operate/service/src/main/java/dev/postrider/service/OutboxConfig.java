package dev.postrider.service;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.CleanupBuilder;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.ExistingSettings;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One outbox of the configuration file: where it is, where its messages go, and how. Checked when it is read, as far as that
 * is possible without the database.
 */
public final class OutboxConfig {

    static final List<Setting<Builder>> SETTINGS = List.of(
            Setting.of(
                    "max-oldest-age",
                    ValueFormat.DURATION_FORM,
                    "no limit",
                    "`/ready` is down while the oldest undelivered message is older than this.",
                    Builder::maxOldestAge),
            Setting.of(
                    "topics",
                    ValueFormat.TEXT,
                    "those that are found",
                    "Topics, separated by commas, that `relay --check` and `doctor` look for at the destination.",
                    Builder::topics));

    private static final String DATABASE = "database";
    private static final List<String> PARTS =
            List.of("existing", "destination", "routes", "relay", "cleanup", "partitions");

    private final Section section;
    private final Optional<DatabaseSettings> database;
    private final StoreSettings store;
    private final Optional<Routes> routes;
    private final Builder own;

    private OutboxConfig(
            Section section,
            Optional<DatabaseSettings> database,
            StoreSettings store,
            Optional<Routes> routes,
            Builder own) {
        this.section = section;
        this.database = database;
        this.store = store;
        this.routes = routes;
        this.own = own;
    }

    /** Of a file, which says where the database is. */
    static OutboxConfig read(Section section, Collection<String> destinations) {
        section.allow(known(List.of(DATABASE)));
        return read(section, Optional.of(database(section))).routed(destinations);
    }

    /** Of an application, which has its data source already, and gets to know its destinations later. */
    static OutboxConfig embedded(Section section) {
        section.allow(embeddedKeys());
        return read(section, Optional.empty());
    }

    static List<String> embeddedKeys() {
        return known(List.of());
    }

    /** The same, with routes to these destinations. */
    OutboxConfig routed(Collection<String> destinations) {
        return new OutboxConfig(section, database, store, Optional.of(Routes.read(section, destinations)), own);
    }

    private static List<String> known(List<String> first) {
        List<String> known = new ArrayList<>(first);
        known.addAll(PARTS);
        known.addAll(Setting.names(StoreSettings.SETTINGS));
        known.addAll(Setting.names(SETTINGS));
        return known;
    }

    private static OutboxConfig read(Section section, Optional<DatabaseSettings> database) {
        StoreSettings store = new StoreSettings().nameInFile(section.name());
        section.applyTo(store, StoreSettings.SETTINGS);
        section.section("existing")
                .map(existing -> ExistingSettings.read(existing, maxAttempts(section)))
                .ifPresent(existing -> {
                    refuseUselessBackoff(section, existing);
                    store.existing(existing);
                });
        Builder own = new Builder();
        section.applyTo(own, SETTINGS);
        OutboxConfig config = new OutboxConfig(section, database, store, Optional.empty(), own);
        BuilderCheck.of(config);
        return config;
    }

    /** A delay that the table reckons from the last attempt would silently win. */
    private static void refuseUselessBackoff(Section section, ExistingSettings existing) {
        if (existing.reckonsRetries()) {
            section.section("relay").filter(relay -> relay.has("backoff")).ifPresent(relay -> {
                throw relay.refuse(
                        "backoff",
                        "has no effect on this table, which knows the last attempt and not the next; say 'retry-delay' in the section 'existing' instead");
            });
        }
    }

    /** What the file says; else the relay takes what the store allows. */
    private static Optional<Integer> maxAttempts(Section section) {
        return section.section("relay")
                .flatMap(relay -> relay.text("max-attempts"))
                .map(ValueFormat.NUMBER::parse);
    }

    private static DatabaseSettings database(Section section) {
        Section database = section.section(DATABASE).orElseThrow(() -> section.refuse("'database' is missing"));
        database.allow(Setting.names(DatabaseSettings.SETTINGS));
        if (database.has("password") && database.has("password-file")) {
            throw database.refuse("password-file", "stands beside 'password'; keep one of them");
        }
        DatabaseSettings.Builder builder = new DatabaseSettings.Builder();
        database.applyTo(builder, DatabaseSettings.SETTINGS);
        database.requireText("url");
        return builder.build();
    }

    /** Its name in the file. */
    public String name() {
        return section.name();
    }

    /** Where its database is; an embedded one does not know. */
    public DatabaseSettings database() {
        return database.orElseThrow();
    }

    public StoreSettings store() {
        return store;
    }

    public Routes routes() {
        return routes.orElseThrow();
    }

    /** How old the oldest message may get before the outbox counts as not ready. */
    public Optional<Duration> maxOldestAge() {
        return own.maxOldestAge;
    }

    /** Topics that are to be looked for at the destination. */
    public List<String> topics() {
        return own.topics;
    }

    /** How many threads its relay uses. */
    public int workers() {
        return relay("workers", ValueFormat.NUMBER).orElse(RelayBuilder.DEFAULT_WORKERS);
    }

    /** How long a lane stays with a relay of this outbox that has died. */
    public Duration lease() {
        return relay("lease", ValueFormat.DURATION_FORM).orElse(RelayBuilder.DEFAULT_LEASE);
    }

    /** How long a stop waits for what is in flight. */
    public Duration closeTimeout() {
        return relay("close-timeout", ValueFormat.DURATION_FORM).orElse(RelayBuilder.DEFAULT_CLOSE_TIMEOUT);
    }

    private <T> Optional<T> relay(String key, ValueFormat<T> form) {
        return section.section("relay").flatMap(relay -> relay.text(key)).map(form::parse);
    }

    /** Makes the calls that the section {@code relay} stands for. */
    RelayBuilder configure(RelayBuilder builder) {
        section.section("relay").ifPresent(relay -> {
            relay.allow(Setting.names(RelaySettings.ALL));
            relay.applyTo(builder, RelaySettings.ALL);
        });
        return builder;
    }

    /** The cleanup that the file asks for. */
    public Optional<CleanupBuilder> cleanup(OutboxStore outbox) {
        return section.section("cleanup").map(cleanup -> cleanup(cleanup, outbox));
    }

    private static CleanupBuilder cleanup(Section cleanup, OutboxStore outbox) {
        List<String> known = new ArrayList<>(List.of(MaintenanceSettings.RETENTION));
        known.addAll(Setting.names(MaintenanceSettings.CLEANUP));
        cleanup.allow(known);
        Duration retention = required(cleanup, MaintenanceSettings.RETENTION, ValueFormat.DURATION_FORM);
        try {
            CleanupBuilder builder = Cleanup.builder(outbox, retention);
            cleanup.applyTo(builder, MaintenanceSettings.CLEANUP);
            return builder;
        } catch (IllegalArgumentException wrong) {
            throw cleanup.refuse(MaintenanceSettings.RETENTION, String.valueOf(wrong.getMessage()));
        }
    }

    /** The keeper of partitions that the file asks for. */
    public Optional<PartitionKeeperBuilder> partitions(OutboxStore outbox) {
        return section.section("partitions").map(partitions -> {
            List<String> known = new ArrayList<>(List.of(MaintenanceSettings.PERIOD));
            known.addAll(Setting.names(MaintenanceSettings.PARTITIONS));
            partitions.allow(known);
            PartitionPeriod period =
                    required(partitions, MaintenanceSettings.PERIOD, ValueFormat.choice(PartitionPeriod.class));
            PartitionKeeperBuilder builder = PartitionKeeper.builder(outbox, period);
            partitions.applyTo(builder, MaintenanceSettings.PARTITIONS);
            return builder;
        });
    }

    /** How often the section {@code cleanup} or {@code partitions} wants to look, if it says so. */
    public Optional<Duration> checkEvery(String part) {
        return section.section(part)
                .flatMap(maintenance -> maintenance.text("check-every"))
                .map(ValueFormat.DURATION_FORM::parse);
    }

    private static <T> T required(Section section, String key, ValueFormat<T> form) {
        try {
            return form.parse(section.requireText(key));
        } catch (IllegalArgumentException wrong) {
            throw section.refuse(key, String.valueOf(wrong.getMessage()));
        }
    }

    /** Collects the outbox's own settings. */
    static final class Builder {

        private Optional<Duration> maxOldestAge = Optional.empty();
        private List<String> topics = List.of();

        void topics(String value) {
            this.topics = List.of(value.split("\\s*,\\s*"));
        }

        void maxOldestAge(Duration value) {
            if (value.isZero()) {
                throw new IllegalArgumentException("is 0, expected more");
            }
            this.maxOldestAge = Optional.of(value);
        }
    }
}
