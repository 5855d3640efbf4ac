package dev.postrider.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionRunnerTest {

    private final JdbcDataSource dataSource = new JdbcDataSource();
    private Connection session;

    @BeforeEach
    void createTable() throws SQLException {
        dataSource.setURL("jdbc:h2:mem:runner");
        session = dataSource.getConnection();
        execute(session, "CREATE TABLE t (n INT)");
    }

    @AfterEach
    void drop() throws SQLException {
        execute(session, "SHUTDOWN");
    }

    private TransactionRunner runner(DataSource source) {
        return new JdbcContext(source, new PlainDialect(), JdbcStoreOptions.defaults()).transactions();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int rows() throws SQLException {
        try (Statement statement = session.createStatement();
                var result = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            result.next();
            return result.getInt(1);
        }
    }

    @Test
    void commitsWhatSucceeds() throws SQLException {
        runner(dataSource).run("test", connection -> execute(connection, "INSERT INTO t VALUES (1)"));

        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void statesItsIsolationLevelAndLeavesTheSessionAsItWas() throws SQLException {
        session.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        AtomicInteger inside = new AtomicInteger();

        runner(new OneConnection(session).dataSource())
                .run("test", connection -> inside.set(connection.getTransactionIsolation()));

        assertThat(inside).hasValue(Connection.TRANSACTION_READ_COMMITTED);
        assertThat(session.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(session.getAutoCommit()).isTrue();
    }

    @Test
    void leavesAutoCommitOffWhereThePoolHasItOff() throws SQLException {
        session.setAutoCommit(false);

        runner(new OneConnection(session).dataSource())
                .run("test", connection -> execute(connection, "INSERT INTO t VALUES (1)"));

        assertThat(session.getAutoCommit()).isFalse();
        session.rollback();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void rollsBackAndExplainsWhatFails() throws SQLException {
        assertThatThrownBy(() -> runner(new OneConnection(session).dataSource()).run("count the sheep", connection -> {
                    execute(connection, "INSERT INTO t VALUES (1)");
                    execute(connection, "SELECT * FROM missing");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Could not count the sheep in outbox outbox (plain)")
                .hasMessageContaining("SQLState 42S")
                .hasCauseInstanceOf(SQLException.class);
        assertThat(rows()).isZero();
        assertThat(session.getAutoCommit()).isTrue();
    }

    @Test
    void rollsBackAndPassesOnWhatTheWorkThrows() throws SQLException {
        assertThatThrownBy(() -> runner(dataSource).run("test", connection -> {
                    execute(connection, "INSERT INTO t VALUES (1)");
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
        assertThat(rows()).isZero();
    }

    @Test
    void doesNotRunAgainWhenHalfOfTheLeaseHasPassed() {
        TransactionRunner runner = runner(dataSource);
        AtomicInteger runs = new AtomicInteger();

        assertThatThrownBy(() -> runner.run("test", connection -> {
                    runs.incrementAndGet();
                    runner.leaseIs(Duration.ofNanos(4));
                    throw new SQLException("lock timeout", "40001", PlainDialect.TRANSIENT);
                }))
                .isInstanceOf(StoreException.class);

        assertThat(runs).hasValue(1);
    }

    @Test
    void runsAgainAfterADeadlock() throws SQLException {
        AtomicInteger runs = new AtomicInteger();

        runner(dataSource).run("test", connection -> {
            execute(connection, "INSERT INTO t VALUES (1)");
            if (runs.incrementAndGet() < 3) {
                throw new SQLException("deadlock", "40001", PlainDialect.TRANSIENT);
            }
        });

        assertThat(runs).hasValue(3);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void givesUpOnAFailureThatPersists() {
        AtomicInteger runs = new AtomicInteger();

        assertThatThrownBy(() -> runner(dataSource).run("test", connection -> {
                    runs.incrementAndGet();
                    throw new SQLException("deadlock", "40001", PlainDialect.TRANSIENT);
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("deadlock");
        assertThat(runs.get()).isBetween(3, 20);
    }

    @Test
    void stopsRunningAgainWhenInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> runner(dataSource).run("test", connection -> {
                    throw new SQLException("deadlock", "40001", PlainDialect.TRANSIENT);
                }))
                .isInstanceOf(StoreException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
