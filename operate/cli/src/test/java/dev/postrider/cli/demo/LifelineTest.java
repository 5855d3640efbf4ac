package dev.postrider.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LifelineTest {

    private final DemoDatabase database = new DemoDatabase();
    private final DataSource survivor = database.connections("survivor", 2);
    private final Lifeline lifeline = new Lifeline();
    private final DataSource victim = lifeline.guard(DataSource.class, database.connections("victim", 2));

    @BeforeEach
    void createTable() throws SQLException {
        execute(survivor, "CREATE TABLE t (n INT)");
        execute(survivor, "INSERT INTO t VALUES (1)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void changesNothingWhileItIsWhole() throws SQLException {
        execute(victim, "INSERT INTO t VALUES (2)");

        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void rollsBackWhatTheKilledLeftOpenAndFreesItsLocks() throws SQLException {
        Connection open = victim.getConnection();
        open.setAutoCommit(false);
        try (PreparedStatement statement = open.prepareStatement("UPDATE t SET n = 7")) {
            statement.executeUpdate();
        }

        lifeline.cut();

        execute(survivor, "UPDATE t SET n = n + 1");
        assertThat(value()).isEqualTo(2);
    }

    @Test
    void letsNoCallReturnAfterTheCut() throws Exception {
        Connection open = victim.getConnection();
        lifeline.cut();
        AtomicBoolean hasReturned = new AtomicBoolean();

        Thread committing = hanging(hasReturned, open::commit);
        Thread connecting = hanging(hasReturned, victim::getConnection);
        Thread interrupted = hanging(hasReturned, open::close);
        interrupted.interrupt();

        for (Thread thread : new Thread[] {committing, connecting, interrupted}) {
            awaitParked(thread);
        }
        assertThat(hasReturned).isFalse();
    }

    private static Thread hanging(AtomicBoolean hasReturned, SqlCall call) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            started.countDown();
            try {
                call.run();
            } catch (Exception returnedToo) {
                // Counted like any other return.
            }
            hasReturned.set(true);
        });
        thread.setDaemon(true);
        thread.start();
        started.await();
        return thread;
    }

    private static void awaitParked(Thread thread) throws InterruptedException {
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
            thread.join(Duration.ofMillis(5).toMillis());
        }
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int rows() throws SQLException {
        return read("SELECT COUNT(*) FROM t");
    }

    private int value() throws SQLException {
        return read("SELECT n FROM t");
    }

    private int read(String sql) throws SQLException {
        try (Connection connection = survivor.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    @FunctionalInterface
    private interface SqlCall {
        void run() throws Exception;
    }
}
