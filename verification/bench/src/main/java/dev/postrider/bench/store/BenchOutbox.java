package dev.postrider.bench.store;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** An outbox in tables of its own. Close it to drop them. Thread-safe. */
public final class BenchOutbox implements AutoCloseable {

    /** How the names of all tables begin. */
    public static final String PREFIX = "postrider_bench";

    /** Where its messages go. */
    public static final String TOPIC = "orders";

    /** How many keys seeded messages have, unless said otherwise. */
    public static final int KEYS = 10_000;

    private static final String UNTRACED = "{\"ce_source\":\"/orders\"}";
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String TRACED =
            "{\"ce_source\":\"/orders\",\"traceparent\":\"%1$s\",\"ce_traceparent\":\"%1$s\"}".formatted(TRACE);

    private static final int SEEDED_AT_ONCE = 20_000;
    /** H2 reads pages of larger statements before it has written them, and fails. */
    private static final int BYTES_AT_ONCE = 4_000_000;

    private final BenchDatabase database;
    private final StoreSettings settings;
    private final OutboxStore store;

    private BenchOutbox(BenchDatabase database, StoreSettings settings, OutboxStore store) {
        this.database = database;
        this.settings = settings;
        this.store = store;
    }

    static BenchOutbox create(BenchDatabase database, OutboxDatabase pool, StoreSettings settings) {
        OwnTables.drop(database, settings.prefixName());
        return new BenchOutbox(database, settings, pool.tables(settings).open(SchemaMode.CREATE));
    }

    public BenchDatabase database() {
        return database;
    }

    public OutboxStore store() {
        return store;
    }

    /** The table that holds the messages, as SQL names it. */
    public String table() {
        return table("");
    }

    /** Another of its tables, such as that of the lanes. */
    public String table(String suffix) {
        return settings.table(database.quote(), suffix);
    }

    /** How the names of its tables begin. */
    public String prefix() {
        return settings.prefixName();
    }

    /** Inserts messages of ten thousand keys, in transactions of some thousands. */
    public void seed(int messages, byte[] payload) throws SQLException {
        seed(messages, payload, KEYS);
    }

    /** Inserts {@code messages} messages, spread over {@code keys} keys. */
    public void seed(int messages, byte[] payload, int keys) throws SQLException {
        try (Connection connection = database.connection()) {
            insert(connection, messages, payload, keys, UNTRACED);
        }
    }

    /** Inserts messages of ten thousand keys, with the headers of a trace. */
    public void seedTraced(int messages, byte[] payload) throws SQLException {
        try (Connection connection = database.connection()) {
            insert(connection, messages, payload, KEYS, TRACED);
        }
    }

    /** Inserts messages in one transaction, so that relays see all of them together. */
    public void seedAtOnce(int messages, byte[] payload) throws SQLException {
        try (Connection connection = database.connection()) {
            connection.setAutoCommit(false);
            insert(connection, messages, payload, KEYS, UNTRACED);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void insert(Connection connection, int messages, byte[] payload, int keys, String headers)
            throws SQLException {
        int atOnce = Math.max(1, Math.min(SEEDED_AT_ONCE, BYTES_AT_ONCE / payload.length));
        String sql = SeedSql.of(database.kind()).formatted(table(), headers);
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int left = messages; left > 0; left -= atOnce) {
                insert.setLong(1, keys);
                insert.setBytes(2, payload);
                insert.setLong(3, Math.min(left, atOnce));
                insert.executeUpdate();
            }
        }
    }

    /** How many messages wait. */
    public long count() throws SQLException {
        return database.number("SELECT count(*) FROM " + table());
    }

    /** Forgets all messages. Not by TRUNCATE, which on MySQL gives old numbers again, behind where relays have read to. */
    public void empty() throws SQLException {
        database.execute("DELETE FROM " + table());
    }

    /** @throws BenchException if messages wait */
    public void requireEmpty() throws SQLException {
        long left = count();
        if (left > 0) {
            throw new BenchException(left + " messages were left in the outbox");
        }
    }

    @Override
    public void close() {
        OwnTables.drop(database, prefix());
    }

    /**
     * Statements by which a database fills an outbox by itself. The table's name and the headers are to be put in; the parameters are how many keys, the
     * payload, and how many messages, at most a million. Stateless.
     */
    private static final class SeedSql {

        /** The prime lets neighbours have distant keys. */
        private static final String POSTGRES = """
                INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload)
                SELECT gen_random_uuid(), 'orders', 'order-' || (n * 7919) %% ?, 'com.example.OrderPlaced',
                       '%s', 'application/json', ?
                FROM generate_series(1, ?) n""";

        /** TiDB has no default for the time. */
        private static final String MYSQL = """
                INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload, created_at)
                SELECT UNHEX(REPLACE(UUID(), '-', '')), 'orders', CONCAT('order-', (n.n * 7919) %% ?),
                       'com.example.OrderPlaced', '%s', 'application/json', ?,
                       UTC_TIMESTAMP(6)
                FROM (
                  WITH RECURSIVE d (d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM d WHERE d < 99)
                  SELECT a.d + 100 * b.d + 10000 * c.d AS n FROM d a, d b, d c
                ) n LIMIT ?""";

        private static final String H2 = """
                INSERT INTO %s (id, topic, message_key, type, headers, content_type, payload)
                SELECT RANDOM_UUID(), 'orders', 'order-' || MOD(x * 7919, CAST(? AS BIGINT)), 'com.example.OrderPlaced',
                       '%s', 'application/json', CAST(? AS VARBINARY(1000000))
                FROM SYSTEM_RANGE(1, CAST(? AS BIGINT))""";

        private SeedSql() {}

        static String of(DatabaseKind kind) {
            return switch (kind) {
                case POSTGRES -> POSTGRES;
                case MYSQL, MARIADB, TIDB -> MYSQL;
                case H2 -> H2;
            };
        }
    }
}
