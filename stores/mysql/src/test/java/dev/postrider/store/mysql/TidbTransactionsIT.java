package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What an open transaction means to the scan on TiDB. Others of this kind are in {@link LateCommitContract}. */
@EnabledIfSystemProperty(named = "postrider.test.tidb", matches = "true", disabledReason = "TiDB only: .ci/tidb")
class TidbTransactionsIT extends InterleavedWriters {

    private static final int LANE = Lane.forKey("a", LANES);

    TidbTransactionsIT() {
        super(TestServer.MYSQL);
    }

    @Test
    void anOpenTransactionOnOtherTablesHoldsNothingBack() throws Exception {
        Connection reader = begin(Connection.TRANSACTION_REPEATABLE_READ);
        execute(reader, "SELECT * FROM business");
        execute(reader, "UPDATE business SET n = 7 WHERE id = 2");

        assertThat(positionAfterARollback()).isPositive();
        reader.rollback();
    }

    @Test
    void anOpenTransactionOnTheOutboxKeepsNumbersInDoubt() throws Exception {
        Connection writer = begin(Connection.TRANSACTION_REPEATABLE_READ);
        OutboxMessage late = message("a");
        insert(writer, late);

        assertThat(positionAfterARollback()).isZero();
        writer.commit();
    }

    /** An optimistic transaction locks nothing before its commit. */
    @Test
    void findsTheMessageOfAnOptimisticTransaction() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection writer = begin(Connection.TRANSACTION_REPEATABLE_READ);
        writer.setAutoCommit(true);
        execute(writer, "BEGIN OPTIMISTIC");
        OutboxMessage late = message("a");
        try (var insert =
                writer.prepareStatement("INSERT INTO outbox (id, topic, message_key, type, payload, created_at)"
                        + " VALUES (?, 'orders', 'a', 'test', '', UTC_TIMESTAMP(6))")) {
            insert.setBytes(1, late.id().toBytes());
            insert.executeUpdate();
        }
        OutboxMessage early = commit("a");
        assertThat(scan.deliver()).containsExactly(early.id());
        scan.fetchFor(60);
        assertThat(scan.position(LANE)).isZero();

        execute(writer, "COMMIT");

        assertThat(scan.deliver()).containsExactly(late.id());
    }

    /** The user sees only its own transactions: all others might be open. */
    @Test
    void withoutThePrivilegeEveryNumberStaysInDoubt() throws Exception {
        String user = "blind" + System.nanoTime();
        store.execute("CREATE USER " + user);
        store.execute("GRANT ALL ON *.* TO " + user);
        store.execute("REVOKE PROCESS ON *.* FROM " + user);
        TestStore blind = storeAs(user);
        ScanSession scan = new ScanSession(blind, ALL);
        rollBack();
        commit("a");
        scan.letMarksMove();
        scan.settleAll();
        scan.fetchFor(60);

        assertThat(scan.position(LANE)).isZero();
    }

    /** Where a next owner would start: 0 if the number that was rolled back is in doubt. */
    private long positionAfterARollback() throws SQLException {
        ScanSession scan = new ScanSession(store, ALL);
        rollBack();
        commit("a");
        scan.letMarksMove();
        scan.settleAll();
        scan.letMarksMove();
        return scan.position(LANE);
    }

    private void rollBack() throws SQLException {
        Connection undone = begin(Connection.TRANSACTION_READ_COMMITTED);
        insert(undone, message("a"));
        undone.rollback();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
