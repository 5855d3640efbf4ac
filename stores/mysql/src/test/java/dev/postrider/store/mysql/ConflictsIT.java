package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.FailureRecorder;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions of others that get in the way of the store's: it tries again, and no message is blamed. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ConflictsIT {

    private static final int LOCK_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;

    private final FailureRecorder recorder = new FailureRecorder();
    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aLockTimeOutIsTriedAgainAndCountsNoAttempt(TestServer server) throws SQLException {
        try (Database database = server.newPlainDatabase("conflicts");
                HikariDataSource pool = pool(server, database, "SET SESSION innodb_lock_wait_timeout = 1");
                Connection other = pool.getConnection()) {
            OutboxStore store = store(pool);
            enqueue(pool, store);
            lockMessages(other);
            recorder.onFailure(other::rollback);

            assertDeliveredOnce(drain(store), store, 1);
        }
        assertThat(codes()).contains(LOCK_TIMEOUT);
    }

    /** The server chooses whoever has changed less, and that is the store; whatever it chose, the test goes on until it did. */
    @NotOnTidb("the victim of a deadlock is whoever waits last, which here is not the relay")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void aDeadlockIsTriedAgainAndCountsNoAttempt(TestServer server) throws Exception {
        try (Database database = server.newPlainDatabase("conflicts");
                HikariDataSource pool = pool(server, database, "SET SESSION innodb_lock_wait_timeout = 100");
                Connection other = pool.getConnection()) {
            OutboxStore store = store(pool);
            execute(other, "CREATE TABLE ballast (n INT PRIMARY KEY)");
            for (int round = 1; !codes().contains(DEADLOCK); round++) {
                enqueue(pool, store);
                lockMessages(other);
                changeMuch(other);
                CompletableFuture<DrainReport> drain = CompletableFuture.supplyAsync(() -> drain(store));
                // It has locked its lane, and waits for the message.
                awaitWaiter(pool, drain);
                lockLaneUnlessVictim(other);
                other.rollback();

                assertDeliveredOnce(drainUntilDelivered(drain.join(), store), store, round);
            }
        }
    }

    private static HikariDataSource pool(TestServer server, Database database, String sessionSetting) {
        HikariConfig config = server.config(database);
        config.setConnectionInitSql(sessionSetting);
        return new HikariDataSource(config);
    }

    /** It keeps what was delivered, so that it locks its lane before the message. */
    private OutboxStore store(DataSource pool) {
        return MysqlOutboxStore.builder(recorder.around(pool))
                .lanes(1)
                .audit(AuditTrail.PLAIN)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    private static void enqueue(DataSource pool, OutboxStore store) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            store.insert(
                    connection,
                    List.of(OutboxMessage.builder("t").key("k").type("t").build()));
            connection.commit();
        }
    }

    private DrainReport drain(OutboxStore store) {
        return Relay.withDefaults(store, broker).drainOnce();
    }

    private void assertDeliveredOnce(DrainReport report, OutboxStore store, int messages) {
        assertThat(report).isEqualTo(new DrainReport(1, 0, 0, true));
        assertThat(broker.sent()).hasSize(messages);
        OutboxStats stats = store.stats();
        assertThat(List.of(stats.undelivered(), stats.held(), stats.dead())).containsOnly(0L);
    }

    private static void lockMessages(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "SELECT * FROM outbox FOR UPDATE");
    }

    private static void changeMuch(Connection connection) throws SQLException {
        execute(connection, """
                INSERT INTO ballast
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
                SELECT n FROM numbers""");
    }

    private static void lockLaneUnlessVictim(Connection connection) {
        try {
            execute(connection, "UPDATE outbox_lane SET owner = owner");
        } catch (SQLException victim) {
            assertThat(victim.getErrorCode()).isEqualTo(DEADLOCK);
        }
    }

    /** A relay that gets no lane yet ends at once, and waits for nothing: the next one delivers. */
    private DrainReport drainUntilDelivered(DrainReport first, OutboxStore store) {
        DrainReport report = first;
        while (report.delivered() == 0) {
            report = drain(store);
        }
        return report;
    }

    private static void awaitWaiter(DataSource pool, CompletableFuture<?> drain)
            throws SQLException, InterruptedException {
        while (!drain.isDone() && !isAnybodyWaiting(pool)) {
            // InnoDB shows the same picture for as long as it is asked more often than ten times a second.
            Thread.sleep(250);
        }
    }

    private static boolean isAnybodyWaiting(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery(
                        Servers.isTidbForMysql()
                                ? "SELECT 1 FROM information_schema.DATA_LOCK_WAITS"
                                : "SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'")) {
            return waiting.next();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Integer> codes() {
        return recorder.failures().stream().map(SQLException::getErrorCode).toList();
    }
}
