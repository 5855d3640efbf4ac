package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.StoreException;
import dev.postrider.testservers.NotOnTidb;
import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A server that dies and comes back. It keeps commits in memory for a second, so a crash may undo some. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestartContract {

    static final Map<String, String> FORGETFUL = Map.of("innodb-flush-log-at-trx-commit", "0", "skip-log-bin", "");

    private static final Set<Integer> ONE_LANE = Set.of(0);

    private final PrivateServer server;
    private TestStore store;

    RestartContract(PrivateServer server) {
        this.server = server;
    }

    /** Without pool: every sequence of statements gets a connection that lives. */
    @BeforeEach
    void createOutbox() throws SQLException {
        store = TestStore.create(server.createDatabase("restart").dataSource(), 1);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @NotOnTidb("a restart loses no commit of a cluster and draws no number twice")
    @Test
    void readsEverythingAnewAfterACrash() throws SQLException {
        ScanSession scan = new ScanSession(store, ONE_LANE);
        insertWithoutSeq(10);
        scan.letMarksMove();
        scan.settleAll();
        insertWithoutSeq(1);
        scan.letMarksMove();
        Optional<String> saved = scan.savedPosition(0);
        assertThat(scan.position(0)).isPositive();
        awaitThatTheServerIsOlderThanTheRoundingOfItsUptime();

        server.killHard();
        server.restart();
        store.execute("DELETE FROM outbox");
        // As a server does that has lost its last commits.
        insertWithSeq(3);
        scan.passTime();

        Fetched first = scan.fetch();
        assertThat(first.newIncarnation()).isTrue();
        assertThat(first.rows()).isEmpty();
        scan.forget();
        assertThat(scan.fetch().rows()).extracting(OutboxRow::seq).containsExactly(3L);
        assertThat(scan.fetch().newIncarnation()).isFalse();
        ScanSession next = new ScanSession(store, ONE_LANE, saved);
        assertThat(next.fetch().rows()).extracting(OutboxRow::seq).containsExactly(3L);
    }

    @Test
    void goesOnAtASavedPositionWhileTheServerRuns() throws SQLException {
        ScanSession scan = new ScanSession(store, ONE_LANE);
        insertWithoutSeq(10);
        scan.letMarksMove();
        scan.settleAll();
        insertWithSeq(3);

        ScanSession next = new ScanSession(store, ONE_LANE, scan.savedPosition(0));

        // Below the position, where nothing can appear on the same run: proof that it does not start at the head.
        assertThat(next.fetch().rows()).isEmpty();
        assertThat(next.scan().sweep(0, Set.of(), Duration.ZERO, 10)).containsExactly(3);
    }

    @Test
    void refusesToReadFromAServerThatIsReadOnly() throws SQLException {
        ScanSession scan = new ScanSession(store, ONE_LANE);
        store.execute("SET GLOBAL " + readOnly() + " = 1");

        assertThatThrownBy(scan::fetch)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("read-only")
                .hasMessageContaining("primary");
        store.execute("SET GLOBAL " + readOnly() + " = 0");
    }

    private static String readOnly() {
        return Servers.isTidbForMysql() ? "tidb_super_read_only" : "read_only";
    }

    /** Uptime comes in whole seconds: two starts within a few of them look like one. */
    private void awaitThatTheServerIsOlderThanTheRoundingOfItsUptime() throws SQLException {
        long uptime = 0;
        while (uptime < 5) {
            try (Connection connection = store.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Uptime'")) {
                row.next();
                uptime = row.getLong(2);
            }
        }
    }

    private void insertWithoutSeq(int count) throws SQLException {
        try (Connection connection = store.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            List<OutboxMessage> messages = IntStream.range(0, count)
                    .mapToObj(n -> OutboxMessage.builder("t").key("k").type("t").build())
                    .toList();
            store.store().insert(connection, messages);
            connection.commit();
        }
    }

    private void insertWithSeq(long seq) throws SQLException {
        String id = new MessageId(1, seq).toHex();
        store.execute(
                "INSERT INTO outbox (seq, id, topic, message_key, type, payload, created_at) VALUES (%d, X'%s', 't', 'k', 't', '', UTC_TIMESTAMP(6))"
                        .formatted(seq, id));
    }
}
