package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStats;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcStoreOptions;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.FailureRecorder;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Transactions of others that get in the way of the store's: it tries again, and no message is blamed. */
@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresConflictsIT {

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String LOCK_TIMEOUT = "55P03";

    private static final Database DATABASE = Servers.postgres().createDatabase("conflicts");
    private static final DataSource OTHERS = TestOutbox.pool(DATABASE.dataSource());

    private final FailureRecorder recorder = new FailureRecorder();
    private final RecordingDestination broker = new RecordingDestination("broker");

    @Test
    void aLockTimeOutIsTriedAgainAndCountsNoAttempt() throws SQLException {
        TestOutbox outbox = outboxWith("SET lock_timeout = '100ms'");
        outbox.insertCommitted("k");
        try (Connection other = OTHERS.getConnection()) {
            lockMessages(other, outbox);
            recorder.onFailure(other::rollback);

            assertDeliveredOnce(drain(outbox), outbox, 1);
        }
        assertThat(states()).contains(LOCK_TIMEOUT);
    }

    /** Whoever looks first is the victim, the store unless the test was stopped for long: then once more. */
    @Test
    void aDeadlockIsTriedAgainAndCountsNoAttempt() throws SQLException, InterruptedException {
        TestOutbox outbox = outboxWith("SET deadlock_timeout = '500ms'");
        for (int round = 1; !states().contains(DEADLOCK); round++) {
            outbox.insertCommitted("k");
            try (Connection other = OTHERS.getConnection()) {
                lockMessages(other, outbox);
                CompletableFuture<DrainReport> drain = CompletableFuture.supplyAsync(() -> drain(outbox));
                // It has locked its lane, and waits for the message.
                outbox.awaitWaiters(1);
                lockLaneUnlessVictim(other, outbox);
                other.rollback();

                assertDeliveredOnce(drain.join(), outbox, round);
            }
        }
    }

    /** At the level at which rows are fetched. */
    @Test
    void aSerializationFailureIsTriedAgain() throws SQLException {
        TestOutbox outbox = outboxWith("SELECT 1");
        JdbcContext context = new JdbcContext(
                outbox.dataSource(), new PostgresDialect(PayloadFormat.BINARY), JdbcStoreOptions.defaults());
        String increment = "UPDATE " + outbox.table() + "_lane SET epoch = epoch + 1";
        AtomicInteger runs = new AtomicInteger();

        context.transactions().inTransaction("count epochs", Isolation.REPEATABLE_READ, connection -> {
            TestOutbox.query(connection, "SELECT epoch FROM " + outbox.table() + "_lane");
            if (runs.incrementAndGet() == 1) {
                outbox.execute(increment);
            }
            return execute(connection, increment);
        });

        assertThat(states()).containsExactly(SERIALIZATION_FAILURE);
        assertThat(outbox.query("SELECT epoch FROM {outbox}_lane")).isEqualTo("2");
    }

    /** It keeps what was delivered, so that it locks its lane before the message. */
    private TestOutbox outboxWith(String sessionSetting) {
        DataSource pool = TestOutbox.pool(DATABASE.dataSource(), config -> config.setConnectionInitSql(sessionSetting));
        return TestOutbox.create(
                recorder.around(pool), builder -> builder.lanes(1).audit(AuditTrail.PLAIN));
    }

    private DrainReport drain(TestOutbox outbox) {
        return Relay.withDefaults(outbox.store(), broker).drainOnce();
    }

    private void assertDeliveredOnce(DrainReport report, TestOutbox outbox, int messages) {
        assertThat(report).isEqualTo(new DrainReport(1, 0, 0, true));
        assertThat(broker.sent()).hasSize(messages);
        OutboxStats stats = outbox.store().stats();
        assertThat(List.of(stats.undelivered(), stats.held(), stats.dead())).containsOnly(0L);
    }

    private static void lockMessages(Connection connection, TestOutbox outbox) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "SET LOCAL deadlock_timeout = '30s'");
        execute(connection, "SELECT * FROM " + outbox.table() + " FOR UPDATE");
    }

    private static void lockLaneUnlessVictim(Connection connection, TestOutbox outbox) {
        try {
            execute(connection, "UPDATE " + outbox.table() + "_lane SET owner = owner");
        } catch (SQLException victim) {
            assertThat(victim.getSQLState()).isEqualTo(DEADLOCK);
        }
    }

    private static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    private List<String> states() {
        return recorder.failures().stream().map(SQLException::getSQLState).toList();
    }
}
