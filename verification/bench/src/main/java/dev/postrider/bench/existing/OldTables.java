package dev.postrider.bench.existing;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.existing.ExistingScenario.Setting;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.OwnTables;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.MoveStoreBuilder;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.existing.TableMapping;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

/** The tables of a preset under names of their own, filled again for each turn. Close it to drop them. For one thread. */
final class OldTables implements AutoCloseable {

    private static final String TABLE = BenchOutbox.PREFIX + "_existing";
    private static final String SEED = TABLE + "_seed";
    private static final int SEEDED_AT_ONCE = 1_000;

    private final BenchDatabase database;
    private final Preset preset;
    private final String payload;
    private int seeded;

    private OldTables(BenchDatabase database, Preset preset, String payload) {
        this.database = database;
        this.preset = preset;
        this.payload = payload;
    }

    static OldTables create(BenchContext context, Preset preset) throws SQLException {
        OwnTables.drop(context.database(), TABLE);
        OldTables tables = new OldTables(context.database(), preset, json(context.payload()));
        tables.create();
        return tables;
    }

    /** As long as the payloads of other scenarios, and as hard to compress as a text can be. */
    private static String json(byte[] payload) {
        String text = Base64.getEncoder().encodeToString(payload);
        return "{\"data\": \"%s\"}".formatted(text.substring(0, Math.max(1, payload.length - 12)));
    }

    private void create() throws SQLException {
        for (String statement : preset.statements(database.label(), TABLE)) {
            database.execute(statement);
        }
        if (preset == Preset.PENDING) {
            for (String statement : Preset.RELAY_LOCK.statements(database.label(), TABLE + "_relay_lock")) {
                database.execute(statement);
            }
        }
        String like = database.label().equals("postgres") ? "CREATE TABLE %s (LIKE %s)" : "CREATE TABLE %s LIKE %s";
        database.execute(like.formatted(SEED, TABLE));
    }

    OutboxStore open(Setting setting) {
        return preset.findMapping().isPresent()
                ? StatusOutboxStore.builder(database.dataSource(), mapping())
                        .lanes(setting.workers())
                        .batchRows(setting.batch())
                        .build()
                : move().build();
    }

    private TableMapping mapping() {
        return preset.mapping().toBuilder().table(TABLE).build();
    }

    private MoveStoreBuilder move() {
        MoveStoreBuilder builder = MoveOutboxStore.builder(database.dataSource(), preset)
                .pendingTable(TABLE)
                .lockTable(TABLE + "_relay_lock");
        return preset == Preset.PENDING
                ? builder
                : builder.waitTable(TABLE + "_wait")
                        .parkingTable(TABLE + "_parking_lot")
                        .completedTable(TABLE + "_completed");
    }

    Round byOld(OldSystem old, Setting setting, int messages) throws Exception {
        int fewer = old.shareOf(messages);
        fill(fewer);
        Round round = new OldRelay(database.dataSource(), old, TABLE, setting).drain(fewer);
        requireEmpty();
        return round;
    }

    Round byRelay(OutboxStore store, Setting setting, int messages) throws Exception {
        fill(messages);
        Round round = RelayDrain.drain(
                store,
                messages,
                options -> options.ordering(
                                store.orderings().contains(store.defaultOrdering())
                                        ? store.defaultOrdering()
                                        : store.orderings().iterator().next())
                        .workers(setting.workers())
                        .batchSize(setting.batch()));
        requireEmpty();
        return round;
    }

    /** Written once by the store, as a service would, and copied for each turn. */
    private void fill(int messages) throws SQLException {
        if (seeded < messages) {
            seed(messages);
        }
        clear(TABLE);
        String columns = String.join(", ", columns());
        database.execute(
                "INSERT INTO %s (%s) SELECT %s FROM %s LIMIT %d".formatted(TABLE, columns, columns, SEED, messages));
    }

    private void seed(int messages) throws SQLException {
        clear(TABLE);
        clear(SEED);
        OutboxStore store = open(new Setting(1, 50));
        try (Connection connection = database.connection()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < messages; from += SEEDED_AT_ONCE) {
                store.insert(
                        connection,
                        IntStream.range(from, Math.min(messages, from + SEEDED_AT_ONCE))
                                .mapToObj(this::message)
                                .toList());
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
        String columns = String.join(", ", columns());
        database.execute("INSERT INTO %s (%s) SELECT %s FROM %s".formatted(SEED, columns, columns, TABLE));
        seeded = messages;
    }

    private void clear(String table) throws SQLException {
        database.execute("TRUNCATE TABLE " + table);
    }

    private OutboxMessage message(int number) {
        String key = "order-" + (number * 7919L) % BenchOutbox.KEYS;
        OutboxMessage.Builder message = switch (preset) {
            case OUTBOX_EVENTS -> OutboxMessage.builder("outbox").type("outbox.event");
            case EVENT_OUTBOX -> OutboxMessage.builder("OrderPlaced").type("OrderPlaced");
            case PENDING, PENDING_WAIT ->
                OutboxMessage.builder("shop.orders.v1").type("shop.orders.v1.OrderPlaced");
            default -> OutboxMessage.builder("orders").type("OrderPlaced");
        };
        boolean isBinary = preset == Preset.RECORDS_BINARY || preset == Preset.RECORDS_BINARY_PARTITIONED;
        return isBinary
                ? message.key(key)
                        .payload(payload.getBytes(StandardCharsets.UTF_8))
                        .build()
                : message.key(key).json(payload).build();
    }

    /** Those that can be written. */
    private List<String> columns() throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = database.connection();
                ResultSet rows = connection
                        .getMetaData()
                        .getColumns(connection.getCatalog(), connection.getSchema(), TABLE, null)) {
            while (rows.next()) {
                if (!rows.getString("IS_GENERATEDCOLUMN").equals("YES")) {
                    columns.add(rows.getString("COLUMN_NAME"));
                }
            }
        }
        return columns;
    }

    private void requireEmpty() throws SQLException {
        long left = database.number("SELECT count(*) FROM %s WHERE %s".formatted(TABLE, undelivered()));
        if (left > 0) {
            throw new BenchException(left + " messages were left in " + TABLE);
        }
    }

    private String undelivered() {
        return switch (preset) {
            case OUTBOX_EVENTS, PENDING, PENDING_WAIT -> "1 = 1";
            case EVENT_OUTBOX -> "published_at IS NULL";
            case ENUM_STATUS -> "status <> 'sent'";
            default -> "status <> 1";
        };
    }

    @Override
    public void close() {
        OwnTables.drop(database, TABLE);
    }
}
