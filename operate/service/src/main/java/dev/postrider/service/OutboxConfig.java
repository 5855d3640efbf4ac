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

    private static final List<String> PARTS =
            List.of("database", "existing", "destination", "routes", "relay", "cleanup", "partitions");

    private final Section section;
    private final DatabaseSettings database;
    private final StoreSettings store;
    private final Routes routes;
    private final Optional<Duration> maxOldestAge;
    private final List<String> topics;

    private OutboxConfig(Section section, DatabaseSettings database, StoreSettings store, Routes routes, Builder own) {
        this.section = section;
        this.database = database;
        this.store = store;
        this.routes = routes;
        this.maxOldestAge = own.maxOldestAge;
        this.topics = own.topics;
    }

    static OutboxConfig read(Section section, Collection<String> destinations) {
        List<String> known = new ArrayList<>(PARTS);
        known.addAll(Setting.names(StoreSettings.SETTINGS));
        known.addAll(Setting.names(SETTINGS));
        section.allow(known);
        StoreSettings store = new StoreSettings().nameInFile(section.name());
        section.applyTo(store, StoreSettings.SETTINGS);
        section.section("existing")
                .map(existing -> ExistingSettings.read(existing, maxAttempts(section)))
                .ifPresent(store::existing);
        Builder own = new Builder();
        section.applyTo(own, SETTINGS);
        OutboxConfig config =
                new OutboxConfig(section, database(section), store, Routes.read(section, destinations), own);
        BuilderCheck.of(config);
        return config;
    }

    /** What the file says; else the relay takes what the store allows. */
    private static Optional<Integer> maxAttempts(Section section) {
        return section.section("relay")
                .flatMap(relay -> relay.text("max-attempts"))
                .map(ValueFormat.NUMBER::parse);
    }

    private static DatabaseSettings database(Section section) {
        Section database = section.section("database").orElseThrow(() -> section.refuse("'database' is missing"));
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

    public DatabaseSettings database() {
        return database;
    }

    public StoreSettings store() {
        return store;
    }

    public Routes routes() {
        return routes;
    }

    /** How old the oldest message may get before the outbox counts as not ready. */
    public Optional<Duration> maxOldestAge() {
        return maxOldestAge;
    }

    /** Topics that are to be looked for at the destination. */
    public List<String> topics() {
        return topics;
    }

    /** How many threads its relay uses. */
    public int workers() {
        return section.section("relay")
                .flatMap(relay -> relay.text("workers"))
                .map(ValueFormat.NUMBER::parse)
                .orElse(RelayBuilder.DEFAULT_WORKERS);
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
