package dev.postrider.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.PrivateServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** An outbox in a database of its own, with a pool. Thread-safe. */
final class BenchOutbox implements AutoCloseable {

    private static final int SEEDED_AT_ONCE = 20_000;
    private static final int CONNECTIONS = 16;

    private final BenchStore kind;
    private final DatabaseServer server;
    private final Optional<PrivateServer> started;
    private final Database database;
    private final HikariDataSource dataSource;
    private final OutboxStore store;

    private BenchOutbox(BenchStore kind, DatabaseServer server, Optional<PrivateServer> started) {
        this.kind = kind;
        this.server = server;
        this.started = started;
        this.database = server.createDatabase("bench");
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(CONNECTIONS);
        this.dataSource = new HikariDataSource(config);
        this.store = kind.open(dataSource);
    }

    static BenchOutbox open(BenchStore kind, boolean fast) {
        if (fast) {
            return new BenchOutbox(kind, kind.shared(), Optional.empty());
        }
        PrivateServer server = kind.start();
        return new BenchOutbox(kind, server, Optional.of(server));
    }

    /** Another outbox in another database of the same server: it ends with this one. */
    BenchOutbox sibling() {
        return new BenchOutbox(kind, server, Optional.empty());
    }

    BenchStore kind() {
        return kind;
    }

    OutboxStore store() {
        return store;
    }

    Database database() {
        return database;
    }

    Connection connection() throws SQLException {
        return dataSource.getConnection();
    }

    /** Inserts messages of ten thousand keys, in transactions of a few thousand. */
    void seed(int messages, int bytes) throws SQLException {
        for (int left = messages; left > 0; left -= SEEDED_AT_ONCE) {
            execute(kind.seed().formatted(Math.min(left, SEEDED_AT_ONCE), bytes));
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long count() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM outbox")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Forgets all messages. Not by TRUNCATE, which on MySQL gives old numbers again, behind where relays have read to. */
    void empty() throws SQLException {
        execute("DELETE FROM outbox");
    }

    void requireEmpty() throws SQLException {
        long left = count();
        if (left > 0) {
            throw new IllegalStateException(left + " messages were left");
        }
    }

    @Override
    public void close() {
        dataSource.close();
        started.ifPresentOrElse(PrivateServer::close, database::close);
    }
}
