package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What two writers do to each other, without any relay: each enqueues, rolls back to a savepoint, and enqueues again.
 *
 * <p>At REPEATABLE READ, MySQL keeps the place of a row that is rolled back to a savepoint locked until the transaction ends, and
 * at the end of the table that is the place of every next row. Both hold it, and both wait for the other. A test that lets
 * writers do this must let them survive a deadlock.
 */
class SavepointLocksIT {

    private static final int DEADLOCK = 1213;

    @NotOnTidb("it locks no gaps")
    @ParameterizedTest
    @CsvSource({
        "MYSQL, REPEATABLE READ, 1",
        "MYSQL, READ COMMITTED, 0",
        "MARIADB, REPEATABLE READ, 0",
        "MARIADB, READ COMMITTED, 0",
    })
    void onlyMysqlAtRepeatableReadChoosesAVictim(TestServer server, String isolation, int victims) throws Exception {
        try (HikariDataSource dataSource = server.newDatabase("savepoints");
                Connection one = dataSource.getConnection();
                Connection other = dataSource.getConnection()) {
            TestStore store = TestStore.create(dataSource, 4);
            store.execute("CREATE TABLE business (id INT PRIMARY KEY, n INT NOT NULL)");
            store.execute("INSERT INTO business VALUES (1, 0), (2, 0)");
            Savepoint first = changeAndEnqueue(store, one, isolation, 1);
            Savepoint second = changeAndEnqueue(store, other, isolation, 2);
            one.rollback(first);
            other.rollback(second);

            assertThat(enqueueBoth(store, one, other)).isEqualTo(victims);
            one.rollback();
            other.rollback();
        }
    }

    /** Returns the savepoint between the business change and the message. */
    private static Savepoint changeAndEnqueue(TestStore store, Connection connection, String isolation, int row)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
            connection.setAutoCommit(false);
            statement.executeUpdate("UPDATE business SET n = n + 1 WHERE id = " + row);
        }
        Savepoint savepoint = connection.setSavepoint();
        store.store().insert(connection, messages());
        return savepoint;
    }

    private static int enqueueBoth(TestStore store, Connection one, Connection other) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Integer> first = threads.submit(() -> enqueue(store, one));
            Future<Integer> second = threads.submit(() -> enqueue(store, other));
            return first.get() + second.get();
        } finally {
            threads.shutdown();
        }
    }

    /** Returns whether it was chosen as the victim of a deadlock, as a number; if so its locks are gone and the other goes on. */
    private static int enqueue(TestStore store, Connection connection) {
        try {
            store.store().insert(connection, messages());
            return 0;
        } catch (StoreException failure) {
            assertThat(((SQLException) failure.getCause()).getErrorCode()).isEqualTo(DEADLOCK);
            return 1;
        }
    }

    private static List<OutboxMessage> messages() {
        return List.of(OutboxMessage.builder("t").type("t").build());
    }
}
