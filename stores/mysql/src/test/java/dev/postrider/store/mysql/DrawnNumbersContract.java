package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inserts that have drawn their number and wait for a lock: no read shows them, and they commit after higher numbers were delivered.
 *
 * <p>Every writer of key b locks its row first, so b-1 must arrive before b-2.
 */
abstract class DrawnNumbersContract extends InterleavedWriters {

    private static final int LANE_OF_B = Lane.forKey("b", LANES);

    DrawnNumbersContract(TestServer server) {
        super(server);
    }

    @ParameterizedTest
    @EnumSource
    void staysBelowANumberWhoseInsertWaits(TableEnd end) throws Exception {
        findsBoth(end, 4);
    }

    @ParameterizedTest
    @EnumSource
    void looksUpANumberWhoseInsertWaitsForLong(TableEnd end) throws Exception {
        findsBoth(end, 300);
    }

    private void findsBoth(TableEnd end, int seconds) throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        commit("early");
        scan.letMarksMove();
        scan.settleAll();
        Waiting waiting = new Waiting(end);
        scan.fetchFor(seconds);
        assertThat(scan.position(LANE_OF_B)).isLessThan(waiting.number);

        waiting.go();
        OutboxMessage second = commitAsB();

        assertThat(scan.deliver())
                .containsExactlyInAnyOrder(waiting.first.id(), second.id(), waiting.higher.id())
                .containsSubsequence(waiting.first.id(), second.id());
        assertThat(store.number("SELECT COUNT(*) FROM outbox")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aNextOwnerFindsANumberWhoseInsertWaitedUnderThePreviousOne(TableEnd end) throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Waiting waiting = new Waiting(end);
        scan.fetchFor(20);
        ScanSession next = new ScanSession(store, Set.of(LANE_OF_B), scan.savedPosition(LANE_OF_B));
        next.fetchFor(20);

        waiting.go();
        OutboxMessage second = commitAsB();

        assertThat(next.deliver()).containsSubsequence(waiting.first.id(), second.id());
    }

    /** Written while nobody waits any more, and still open: no longer hidden, but in doubt below the horizon. */
    @ParameterizedTest
    @EnumSource
    void keepsANumberThatWasWrittenLateUntilItsTransactionEnds(TableEnd end) throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Waiting waiting = new Waiting(end);
        scan.fetchFor(20);
        waiting.holder.commit();
        waiting.insert.get(20, TimeUnit.SECONDS);
        scan.letMarksMove();

        waiting.b.commit();
        OutboxMessage second = commitAsB();

        assertThat(scan.deliver()).containsExactly(waiting.first.id(), second.id());
    }

    @Test
    void passesNumbersOfInsertsThatWereRolledBack() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        rollBack("a");
        OutboxMessage done = commit("a");
        scan.letMarksMove();
        long seq = scan.seqOf(done);
        scan.settleAll();
        scan.letMarksMove();

        assertThat(scan.position(Lane.forKey("a", LANES))).isEqualTo(seq);
    }

    /** Somebody always waits, on another table: numbers that were rolled back cannot be told from hidden ones. */
    @Test
    @NotOnTidb("it counts InnoDB's reads, and TiDB's scan waits for transactions, not for waits")
    void readsNoMoreRowsWhereNumbersAreManyAndWaitsNeverEnd() throws Exception {
        Connection holder = begin(Connection.TRANSACTION_READ_COMMITTED);
        lockRow(holder, 2);
        Connection waiter = begin(Connection.TRANSACTION_READ_COMMITTED);
        CompletableFuture<Void> wait = CompletableFuture.runAsync(() -> lockRow(waiter, 2));
        awaitLockWait(wait);
        ScanSession scan = new ScanSession(store, ALL);
        long few = rowsReadAfter(scan, 200);
        long many = rowsReadAfter(scan, 4000);
        holder.commit();
        wait.get(20, TimeUnit.SECONDS);

        assertThat(many).isLessThan(few + 4L * UnseenNumbers.MOST_RANGES);
    }

    /** With messages that are delivered at once, one insert in four rolled back, and then time for the marks to move. */
    private long rowsReadAfter(ScanSession scan, int numbers) throws SQLException {
        Connection writer = begin(Connection.TRANSACTION_READ_COMMITTED);
        for (int n = 0; n < numbers; n += 4) {
            insert(writer, message("x"));
            writer.rollback();
            insert(writer, message("x"), message("y"), message("z"));
            writer.commit();
            if (n % 200 == 0) {
                scan.fetchFor(2);
                scan.settleAll();
            }
        }
        scan.letMarksMove();
        scan.settleAll();
        scan.passTime();
        scan.fetch();
        long before = rowsRead();
        scan.fetch();
        return rowsRead() - before;
    }

    private long rowsRead() throws SQLException {
        return store.number("SHOW GLOBAL STATUS LIKE 'Handler_read_next'")
                + store.number("SHOW GLOBAL STATUS LIKE 'Handler_read_key'");
    }

    /** A writer of b-1 that has drawn its number and waits, while the one that it waits for has drawn a higher one. */
    private final class Waiting {
        final Connection holder;
        final Connection b;
        final OutboxMessage first = message("b");
        final OutboxMessage higher = message("higher");
        final CompletableFuture<Void> insert;
        final long number;

        Waiting(TableEnd end) throws Exception {
            // Closed in this order too: the other way round, b would be waited for.
            holder = begin(end.isolation());
            b = begin(Connection.TRANSACTION_REPEATABLE_READ);
            end.lock(store, holder);
            long before = store.nextNumber();
            insert = CompletableFuture.runAsync(() -> {
                lockRow(b, 1);
                insert(b, first);
            });
            awaitLockWait(insert);
            number = before;
            DrawnNumbersContract.this.insert(holder, higher);
        }

        void go() throws Exception {
            holder.commit();
            insert.get(20, TimeUnit.SECONDS);
            b.commit();
        }
    }

    private void awaitLockWait(CompletableFuture<Void> unlessDone) throws SQLException {
        while (!unlessDone.isDone() && store.number(server.lockWaits()) == 0) {
            Thread.onSpinWait();
        }
    }

    private OutboxMessage commitAsB() throws SQLException {
        Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ);
        lockRow(connection, 1);
        OutboxMessage message = message("b");
        insert(connection, message);
        connection.commit();
        return message;
    }

    private void rollBack(String key) throws SQLException {
        Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED);
        insert(connection, message(key));
        connection.rollback();
    }
}
