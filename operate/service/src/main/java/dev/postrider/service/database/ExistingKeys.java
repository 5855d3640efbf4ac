package dev.postrider.service.database;

import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.store.existing.MappedText;
import dev.postrider.store.existing.MoveStoreBuilder;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.Role;
import dev.postrider.store.existing.StatusStoreBuilder;
import dev.postrider.store.existing.TableMapping;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The keys of the section {@code existing}: each is one call of a builder. */
public final class ExistingKeys {

    static final String STATUS_COLUMN = "column";

    private static final String NO_COLUMN = "none";
    private static final String AS_PRESET = "as in the preset, else none";

    private static final String LENIENT =
            "Whether attributes that CloudEvents would have otherwise (`traceID`, an empty source) are sent as they"
                    + " were written; if not, such a row is given up.";

    private static final ValueFormat<Duration[]> DELAYS = new ValueFormat<>("FIRST LONGEST", ExistingKeys::delays);

    private static final ValueFormat<Boolean> ON_DELIVERED = new ValueFormat<>("mark, delete", ExistingKeys::isDelete);

    /** What the tables are like. */
    public static final Setting<Object> PRESET = Setting.of(
            "preset",
            ValueFormat.choice(Preset.class),
            "none",
            "A published schema; without it `table` and `columns` say what the table is like.",
            (ignored, preset) -> {});

    /** What is known of the one table beside its columns. */
    public static final List<Setting<TableMapping.Builder>> MAPPING = List.of(
            Setting.of(
                    "table",
                    ValueFormat.TEXT,
                    "as in the preset, else required",
                    "The table, or `schema.table`.",
                    TableMapping.Builder::table),
            text(
                    "type",
                    "the column `type`",
                    "The type of all messages, where no column tells it.",
                    TableMapping.Builder::type),
            text(
                    "topic",
                    "the aggregate type, else the type",
                    "The topic of all messages, where no column tells it.",
                    TableMapping.Builder::topic),
            text(
                    "content-type",
                    "by the type of the payload column",
                    "The content type of all messages, where no column tells it.",
                    TableMapping.Builder::contentType),
            Setting.of(
                    "order",
                    ValueFormat.TEXT,
                    "the id",
                    "The columns, separated by commas, by which older rows come first.",
                    (TableMapping.Builder mapping, String names) -> mapping.order(names.split("\\s*,\\s*"))),
            Setting.of(
                    "on-delivered",
                    ON_DELIVERED,
                    "mark, if a column can tell",
                    "What becomes of a delivered row.",
                    TableMapping.Builder::deletesDelivered),
            Setting.of(
                    "delivered-table",
                    ValueFormat.TEXT,
                    "none",
                    "Where delivered rows are moved, in the columns that both tables have.",
                    TableMapping.Builder::deliveredTable),
            Setting.of(
                    "dead-table",
                    ValueFormat.TEXT,
                    "none",
                    "Where rows are moved that are given up, in the columns that both tables have.",
                    TableMapping.Builder::deadTable),
            Setting.of(
                    "dead-at-attempts",
                    ValueFormat.NUMBER,
                    "`max-attempts` of the relay, else as in the preset, else none",
                    "The number of failed attempts after which a row is given up; the relay's `max-attempts` may not be more."
                            + " 1 to 1000000.",
                    TableMapping.Builder::deadAtAttempts),
            Setting.of(
                    "retry-delay",
                    DELAYS,
                    "1s 5m",
                    "How long a failed row waits, longer with each attempt, where the table knows the last attempt and"
                            + " not the next.",
                    (TableMapping.Builder mapping, Duration[] delays) -> mapping.retryDelay(delays[0], delays[1])),
            Setting.of(
                    "retry-multiplier",
                    ValueFormat.FRACTION,
                    "2",
                    "How much longer than before a row waits after each failed attempt. 1 to 100.",
                    TableMapping.Builder::retryMultiplier),
            Setting.of(
                    "clears-error",
                    ValueFormat.FLAG,
                    "as in the preset, else false",
                    "Whether delivery sets the last error to NULL.",
                    TableMapping.Builder::clearsError),
            Setting.of(
                    "local-time-is-utc",
                    ValueFormat.FLAG,
                    "as in the preset, else true",
                    "Whether columns of date and time without zone hold UTC, or the time of the sessions' zone.",
                    TableMapping.Builder::localTimeIsUtc),
            Setting.of("lenient", ValueFormat.FLAG, "true", LENIENT, TableMapping.Builder::lenient),
            Setting.of(
                    "origin",
                    ValueFormat.TEXT,
                    "database, schema and table",
                    "What tells rows of this table from those of the same number elsewhere; part of the ids of"
                            + " messages whose rows have only a number.",
                    TableMapping.Builder::origin));

    /** Which column means what. */
    public static final List<Setting<TableMapping.Builder>> COLUMNS = List.of(
            column(Role.ID, "id", "The primary key, or another column with an index."),
            column(Role.MESSAGE_ID, AS_PRESET, "The id of the event, where it is another than the primary key."),
            textColumn("type", "type", "The type of the message.", TableMapping.Builder::type),
            textColumn("topic", AS_PRESET, "Where it goes at the broker.", TableMapping.Builder::topic),
            textColumn(
                    "content-type", AS_PRESET, "The content type of its payload.", TableMapping.Builder::contentType),
            column(Role.AGGREGATE_TYPE, AS_PRESET, "What the message is about; becomes the header `aggregatetype`."),
            column(Role.KEY, AS_PRESET, "The entity that the message belongs to."),
            column(Role.PAYLOAD, "payload", "The bytes of the message, or its text, or JSON."),
            column(Role.HEADERS, AS_PRESET, "A JSON object; each member becomes a header."),
            column(Role.ATTEMPTS, AS_PRESET, "How many attempts have failed."),
            column(Role.LAST_ERROR, AS_PRESET, "What went wrong last."),
            column(Role.CREATED, AS_PRESET, "When the row was written."),
            column(
                    Role.DELIVERED,
                    AS_PRESET,
                    "When it was delivered; without `status` a row is undelivered while this is NULL."),
            column(
                    Role.NEXT_ATTEMPT,
                    AS_PRESET,
                    "When it may be tried again; without `claimed-until` also the end of a claim."),
            column(Role.LAST_ATTEMPT, AS_PRESET, "When it was tried last."),
            column(Role.CLAIMED_UNTIL, AS_PRESET, "Until when a relay has claimed the row; may be NULL."),
            column(Role.PARTITION, AS_PRESET, "Range partitions go by this column: seconds since 1970."));

    /** The column that says how far a row is, and its values. */
    public static final List<Setting<Values>> STATUS = List.of(
            value(STATUS_COLUMN, "required", "The column."),
            value("pending", "required", "Not yet tried, or to be tried again."),
            value("sending", "none", "Claimed by a relay; needs `next-attempt` or `claimed-until`."),
            value("retry", "as pending", "Failed, and to be tried again."),
            value("delivered", "none", "Delivered."),
            value("dead", "none", "Given up."));

    /** How rows of the one table are claimed and kept. */
    public static final List<Setting<StatusStoreBuilder>> STORE = List.of(
            Setting.of(
                    "leader",
                    ValueFormat.TEXT,
                    "The name of a lease in the lock table: one relay at a time is active, and may keep an order.",
                    StatusStoreBuilder::leader),
            Setting.of(
                    "lock-table",
                    ValueFormat.TEXT,
                    "relay_lock",
                    "Where the leader and maintenance are shared between processes, and, with a leader or if it is named here, pauses; created when it is first needed.",
                    StatusStoreBuilder::lockTable),
            Setting.of(
                    "lanes",
                    ValueFormat.NUMBER,
                    "How many workers of a process can claim rows at once; as many as `workers` of the relay. 1 to 64.",
                    StatusStoreBuilder::lanes),
            Setting.of(
                    "batch-rows",
                    ValueFormat.NUMBER,
                    "How many rows an open transaction claims at most. 1 to 10000.",
                    StatusStoreBuilder::batchRows),
            Setting.of(
                    "window",
                    ValueFormat.DURATION_FORM,
                    "Looks at rows of this age and younger only; needs the column `partition`. At least 1m.",
                    StatusStoreBuilder::window),
            Setting.of(
                    "full-look-interval",
                    ValueFormat.DURATION_FORM,
                    "How often rows older than the window are looked for. 1s to 1d.",
                    StatusStoreBuilder::fullLookInterval),
            Setting.of(
                    "archive-table",
                    ValueFormat.TEXT,
                    "they are deleted",
                    "Where `cleanup` moves old delivered rows.",
                    StatusStoreBuilder::archiveTable));

    /** The tables of presets pending-wait and pending. */
    public static final List<Setting<MoveStoreBuilder>> MOVE = List.of(
            Setting.of("pending-table", ValueFormat.TEXT, "Where services write.", MoveStoreBuilder::pendingTable),
            moveTable(
                    "wait-table",
                    "outbox_wait",
                    "Where failed rows wait; `none`: they stay where they are, and the relay keeps attempts and pauses in memory.",
                    MoveStoreBuilder::waitTable,
                    MoveStoreBuilder::withoutWaitTable),
            moveTable(
                    "parking-table",
                    "outbox_parking_lot",
                    "Where rows go that are given up; `none`: they stay where they are, and are tried again after a restart.",
                    MoveStoreBuilder::parkingTable,
                    MoveStoreBuilder::withoutParkingTable),
            Setting.of(
                    "completed-table",
                    ValueFormat.TEXT,
                    "Where delivered rows go; else they are deleted.",
                    MoveStoreBuilder::completedTable),
            Setting.of(
                    "lock-table",
                    ValueFormat.TEXT,
                    "relay_lock",
                    "The table of the leader lease, pauses and maintenance, which is created when it is first needed.",
                    MoveStoreBuilder::lockTable),
            Setting.of("leader", ValueFormat.TEXT, "The name of the leader lease.", MoveStoreBuilder::leader),
            Setting.of("lenient", ValueFormat.FLAG, "true", LENIENT, MoveStoreBuilder::lenient),
            Setting.of(
                    "key-attribute",
                    ValueFormat.TEXT,
                    "subject",
                    "The attribute whose value is the key: `subject`, or the name of an extension.",
                    MoveStoreBuilder::keyAttribute),
            Setting.of(
                    "topic",
                    ValueFormat.TEXT,
                    "the type up to its last dot",
                    "The topic of all messages.",
                    MoveStoreBuilder::topic));

    private ExistingKeys() {}

    /** A table that an outbox need not have. */
    private static Setting<MoveStoreBuilder> moveTable(
            String key,
            String standard,
            String meaning,
            BiConsumer<MoveStoreBuilder, String> with,
            Consumer<MoveStoreBuilder> without) {
        return Setting.of(key, ValueFormat.TEXT, standard + "; none with preset pending", meaning, (builder, name) -> {
            if (name.equals(NO_COLUMN)) {
                without.accept(builder);
            } else {
                with.accept(builder, name);
            }
        });
    }

    private static Setting<TableMapping.Builder> text(
            String name, String standard, String meaning, BiConsumer<TableMapping.Builder, MappedText> call) {
        return Setting.of(
                name,
                ValueFormat.TEXT,
                standard,
                meaning,
                (mapping, text) -> call.accept(mapping, MappedText.fixed(text)));
    }

    private static Setting<TableMapping.Builder> textColumn(
            String name, String standard, String meaning, BiConsumer<TableMapping.Builder, MappedText> call) {
        return Setting.of(
                name,
                ValueFormat.TEXT,
                standard,
                meaning,
                (mapping, column) -> call.accept(mapping, MappedText.column(column)));
    }

    /** A preset's column that the table lacks is taken away by {@code none}. */
    private static Setting<TableMapping.Builder> column(Role role, String standard, String meaning) {
        return Setting.of(ValueFormat.nameOf(role), ValueFormat.TEXT, standard, meaning, (mapping, name) -> {
            if (name.equals(NO_COLUMN)) {
                mapping.without(role);
            } else {
                mapping.column(role, name);
            }
        });
    }

    private static Setting<Values> value(String name, String standard, String meaning) {
        return Setting.of(name, ValueFormat.TEXT, standard, meaning, (values, text) -> values.texts.put(name, text));
    }

    private static Duration[] delays(String text) {
        String[] parts = text.split("\\s+");
        if (parts.length != 2) {
            throw new IllegalArgumentException("is '" + text + "', expected two times such as 1s 5m");
        }
        return new Duration[] {ValueFormat.DURATION_FORM.parse(parts[0]), ValueFormat.DURATION_FORM.parse(parts[1])};
    }

    private static boolean isDelete(String text) {
        return switch (text) {
            case "mark" -> false;
            case "delete" -> true;
            default -> throw new IllegalArgumentException("is '" + text + "', expected mark or delete");
        };
    }

    /** Collects the values of a status column. Not thread-safe. */
    public static final class Values {

        private final Map<String, String> texts = new HashMap<>();

        Optional<String> find(String name) {
            return Optional.ofNullable(texts.get(name));
        }
    }
}
