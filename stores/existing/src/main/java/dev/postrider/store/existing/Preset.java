package dev.postrider.store.existing;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;

/** Schemas of outboxes that are in use elsewhere: their tables as SQL, and which column means what. */
public enum Preset {

    /** {@code outbox} with UUIDv7 ids and a numeric status, JSON payloads. */
    RECORDS("mysql", "mariadb"),
    /** The same with payloads of bytes. */
    RECORDS_BINARY("mysql", "mariadb"),
    /** {@link #RECORDS} in range partitions by the time in the id. */
    RECORDS_PARTITIONED("mysql", "mariadb"),
    /** {@link #RECORDS_BINARY} in range partitions by the time in the id. */
    RECORDS_BINARY_PARTITIONED("mysql", "mariadb"),
    /** {@code outbox_events}: rows that are deleted when they are delivered. */
    OUTBOX_EVENTS("postgres", "mysql", "mariadb"),
    /** {@code event_outbox} with {@code published_at}, {@code retry_count} and {@code last_retry_at}. */
    EVENT_OUTBOX("postgres"),
    /** {@code outbox} with an ENUM as status and {@code next_attempt_at}. */
    ENUM_STATUS("mysql", "mariadb"),
    /** The tables of {@link MoveOutboxStore}: pending, wait, completed, parking lot and lock. */
    PENDING_WAIT("mysql", "mariadb", "tidb"),
    /** {@code outbox_pending} alone, without a count of attempts: what a {@link MoveOutboxStore} needs at least. */
    PENDING("mysql", "mariadb"),
    /** The table for leader leases, maintenance and pauses. */
    RELAY_LOCK("postgres", "mysql", "mariadb", "tidb");

    @SuppressWarnings("ImmutableEnumChecker") // List.copyOf is immutable
    private final List<String> databases;

    Preset(String... databases) {
        this.databases = List.of(databases);
    }

    /** The preset's name on the command line and in configuration files: {@code records-binary}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException naming those that exist */
    public static Preset of(String label) {
        return Arrays.stream(values())
                .filter(preset -> preset.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no preset '%s'; there are %s"
                        .formatted(
                                label,
                                Arrays.stream(values()).map(Preset::label).toList())));
    }

    /** The databases that this preset has a schema for: {@code postgres}, {@code mysql}, {@code mariadb}, {@code tidb}. */
    public List<String> databases() {
        return databases;
    }

    /**
     * The statements that create the tables, corrected where the original cannot be created.
     *
     * @throws IllegalArgumentException if the preset is not for this database
     */
    public String ddl(String database) {
        if (!databases.contains(database)) {
            throw new IllegalArgumentException(
                    "Preset %s is for %s, not for %s".formatted(label(), String.join(", ", databases), database));
        }
        return new PresetScript(database).of(this);
    }

    /**
     * The same with another name for its one table, or for the one to which services write.
     *
     * @throws IllegalArgumentException if the preset is not for this database, or the name is no table name
     */
    public String ddl(String database, String table) {
        TablePath path = TablePath.parse(table);
        String own = findMapping()
                .map(mapping -> mapping.table.name())
                .orElse(this == RELAY_LOCK ? "relay_lock" : "outbox_pending");
        return ddl(database)
                .replaceAll("(CREATE TABLE |\\bON )%s\\b".formatted(own), "$1" + path)
                .replaceAll("(CREATE INDEX )idx_(%s_)?".formatted(own), "$1idx_" + path.name() + "_");
    }

    /**
     * The same one by one, with names of their own for all tables: {@code name} for the one to which services write, and {@code name_wait},
     * {@code name_relay_lock} and so on for the others.
     *
     * @throws IllegalArgumentException if the preset is not for this database, or the name is no table name
     */
    public List<String> statements(String database, String name) {
        String ddl = ddl(database, name)
                .replaceAll("(CREATE TABLE )(outbox_|(?=relay_lock))", "$1" + Matcher.quoteReplacement(name) + "_");
        return Arrays.stream(ddl.replaceAll("(?m)^\\s*--.*$", "").split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** Which column means what; empty for presets that are no status layout. */
    public Optional<TableMapping> findMapping() {
        return switch (this) {
            case RECORDS, RECORDS_BINARY -> Optional.of(records().build());
            case RECORDS_PARTITIONED, RECORDS_BINARY_PARTITIONED ->
                Optional.of(records().column(Role.PARTITION, "created_ts").build());
            case OUTBOX_EVENTS -> Optional.of(outboxEvents());
            case EVENT_OUTBOX -> Optional.of(eventOutbox());
            case ENUM_STATUS -> Optional.of(enumStatus());
            case PENDING_WAIT, PENDING, RELAY_LOCK -> Optional.empty();
        };
    }

    /** @throws IllegalArgumentException if this preset is no status layout */
    public TableMapping mapping() {
        return findMapping()
                .orElseThrow(
                        () -> new IllegalArgumentException("Preset " + label() + " is no single table of messages"));
    }

    private static TableMapping.Builder records() {
        return TableMapping.builder("outbox")
                .type(MappedText.column("event_type"))
                .column(Role.AGGREGATE_TYPE, "aggregate_type")
                .column(Role.KEY, "aggregate_id")
                .column(Role.HEADERS, "headers")
                .status(StatusValues.of("status", "0").withDelivered("1").withDead("-1"))
                .column(Role.ATTEMPTS, "attempt_count")
                .column(Role.LAST_ERROR, "last_error")
                .column(Role.CREATED, "created_at")
                .column(Role.DELIVERED, "processed_at")
                .column(Role.LAST_ATTEMPT, "updated_at")
                .retryDelay(Duration.ofSeconds(1), Duration.ofMinutes(5))
                .clearsError(true);
    }

    private static TableMapping outboxEvents() {
        return TableMapping.builder("outbox_events")
                .type(MappedText.fixed("outbox.event"))
                .topic(MappedText.fixed("outbox"))
                .column(Role.KEY, "entity_id")
                .column(Role.PAYLOAD, "message")
                .column(Role.CREATED, "created_at")
                .order("created_at", "id")
                .localTimeIsUtc(false)
                .build();
    }

    private static TableMapping eventOutbox() {
        return TableMapping.builder("event_outbox")
                .column(Role.MESSAGE_ID, "event_id")
                .type(MappedText.column("event_type"))
                .column(Role.KEY, "aggregate_id")
                .column(Role.HEADERS, "metadata")
                .column(Role.CREATED, "created_at")
                .column(Role.DELIVERED, "published_at")
                .column(Role.ATTEMPTS, "retry_count")
                .column(Role.LAST_ERROR, "last_error")
                .column(Role.LAST_ATTEMPT, "last_retry_at")
                .retryDelay(Duration.ofSeconds(1), Duration.ofMinutes(5))
                .deadAtAttempts(5)
                .order("created_at", "id")
                .build();
    }

    private static TableMapping enumStatus() {
        return TableMapping.builder("outbox")
                .column(Role.MESSAGE_ID, "event_id")
                .type(MappedText.column("event_type"))
                .column(Role.AGGREGATE_TYPE, "aggregate_type")
                .column(Role.KEY, "aggregate_id")
                .status(StatusValues.of("status", "pending")
                        .withSending("sending")
                        .withRetry("failed")
                        .withDelivered("sent"))
                .column(Role.ATTEMPTS, "attempts")
                .column(Role.LAST_ERROR, "last_error")
                .column(Role.CREATED, "created_at")
                .column(Role.NEXT_ATTEMPT, "next_attempt_at")
                .deadAtAttempts(5)
                .order("created_at", "id")
                .build();
    }
}
