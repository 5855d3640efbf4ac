package dev.postrider.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** An outbox of its own for one test, with a pool and short ways to write to it. */
final class TestOutbox {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final DataSource pool;
    private final OutboxStore store;

    private TestOutbox(DataSource pool, OutboxStore store) {
        this.pool = pool;
        this.store = store;
    }

    static TestOutbox create(DataSource pool) {
        return create(pool, builder -> builder);
    }

    static TestOutbox create(DataSource pool, UnaryOperator<PostgresOutboxStoreBuilder> options) {
        PostgresOutboxStoreBuilder builder = PostgresOutboxStore.builder(pool)
                .prefix("outbox_" + COUNT.incrementAndGet())
                .schemaMode(SchemaMode.CREATE);
        return new TestOutbox(pool, options.apply(builder).build());
    }

    /** A pool on a new database of the shared server, for one test class; it ends with the JVM. */
    static HikariDataSource poolOnSharedServer() {
        return pool(Servers.postgres().createDatabase("pg").dataSource());
    }

    static HikariDataSource pool(DataSource dataSource) {
        return pool(dataSource, config -> {});
    }

    static HikariDataSource pool(DataSource dataSource, Consumer<HikariConfig> configuration) {
        HikariConfig config = new HikariConfig();
        configuration.accept(config);
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(40);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    OutboxStore store() {
        return store;
    }

    DataSource dataSource() {
        return pool;
    }

    /** The name of the hot table. */
    String table() {
        return store.name();
    }

    /** A connection with an open transaction. */
    Connection begin() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static OutboxMessage message(String key) {
        return OutboxMessage.builder("orders")
                .key(key)
                .type("OrderPlaced")
                .payload(new byte[] {1, 2, 3})
                .build();
    }

    void insert(Connection connection, String... keys) {
        store.insert(connection, List.of(keys).stream().map(TestOutbox::message).toList());
    }

    /** Inserts and commits in a transaction of its own. */
    void insertCommitted(String... keys) throws SQLException {
        try (Connection connection = begin()) {
            insert(connection, keys);
            connection.commit();
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql.replace("{outbox}", table()));
        }
    }

    String query(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return query(connection, sql.replace("{outbox}", table()));
        }
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** Waits until this many sessions of this database wait for a lock. */
    void awaitWaiters(int sessions) throws SQLException, InterruptedException {
        String waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while (Integer.parseInt(query(waiting)) < sessions) {
            Thread.sleep(5);
        }
    }
}
