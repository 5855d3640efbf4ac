package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An outbox of four lanes in a database of its own for each test, and writers whose transactions the test begins and ends. */
abstract class InterleavedWriters {

    static final int LANES = 4;
    static final Set<Integer> ALL = Set.of(0, 1, 2, 3);

    final TestServer server;
    private final List<Connection> opened = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();
    private HikariDataSource dataSource;
    TestStore store;

    InterleavedWriters(TestServer server) {
        this.server = server;
    }

    @BeforeEach
    void createOutbox() throws SQLException {
        dataSource = server.newDatabase("interleaved");
        store = TestStore.create(dataSource, LANES);
        store.execute("CREATE TABLE business (id INT PRIMARY KEY, n INT)");
        store.execute("INSERT INTO business VALUES (1, 0), (2, 0)");
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
        pools.forEach(HikariDataSource::close);
        dataSource.close();
    }

    /** The same outbox, as another user without a password sees it. */
    TestStore storeAs(String user) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(dataSource.getJdbcUrl());
        config.setUsername(user);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return TestStore.of(pool, store.store());
    }

    /** The same database at another server of its cluster. */
    HikariDataSource at(String hostAndPort) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(dataSource.getJdbcUrl().replaceFirst("//[^/]+/", "//" + hostAndPort + "/"));
        config.setUsername(dataSource.getUsername());
        config.setPassword(dataSource.getPassword());
        config.setMaximumPoolSize(dataSource.getMaximumPoolSize());
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    Connection begin(int isolation) throws SQLException {
        return begin(dataSource, isolation);
    }

    Connection begin(DataSource through, int isolation) throws SQLException {
        Connection connection = through.getConnection();
        opened.add(connection);
        connection.setTransactionIsolation(server.isolation(isolation));
        connection.setAutoCommit(false);
        return connection;
    }

    static OutboxMessage message(String key) {
        return OutboxMessage.builder("orders").key(key).type("test").build();
    }

    void insert(Connection connection, OutboxMessage... messages) {
        store.store().insert(connection, List.of(messages));
    }

    OutboxMessage commit(String key) throws SQLException {
        OutboxMessage message = message(key);
        Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED);
        insert(connection, message);
        connection.commit();
        return message;
    }

    /** As a writer does that keeps the order of its key. */
    static void lockRow(Connection connection, int id) {
        try (var statement = connection.createStatement()) {
            statement.execute("UPDATE business SET n = n + 1 WHERE id = " + id);
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }
}
