package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxRow;
import dev.postrider.testservers.NotOnTidb;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Interleavings of writers and scan, step by step. Each one breaks a simpler scan. */
abstract class LateCommitContract extends InterleavedWriters {

    LateCommitContract(TestServer server) {
        super(server);
    }

    @Test
    void sendsALateCommitBeforeTheNextMessageOfItsKey() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        OutboxMessage eight = message("k");
        OutboxMessage twelve = message("k");
        Connection a = begin(Connection.TRANSACTION_REPEATABLE_READ);
        lockRow(a, 1);
        insert(a, eight);
        OutboxMessage nine = commit("other");
        OutboxMessage ten = commit("another");
        assertThat(scan.deliver()).containsExactly(nine.id(), ten.id());
        Connection b = begin(Connection.TRANSACTION_REPEATABLE_READ);
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
            lockRow(b, 1);
            insert(b, twelve);
        });
        scan.letMarksMove();

        a.commit();
        second.get(20, TimeUnit.SECONDS);
        b.commit();

        assertThat(scan.deliver()).containsExactly(eight.id(), twelve.id());
    }

    @Test
    void doesNotPassARowThatCommitsBetweenFetchAndProbe() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection slow = begin(Connection.TRANSACTION_READ_COMMITTED);
        OutboxMessage late = message("late");
        insert(slow, late);
        commit("early");
        scan.fetch();
        scan.passTime();
        scan.fetch();
        scan.passTime();
        slow.commit();

        // The probe at the start of this fetch sees the row committed, in no one's memory.
        assertThat(scan.deliver()).containsExactly(late.id());
    }

    /** A stall in the middle of one statement, which has drawn all its numbers and written only the first row. */
    @Test
    @NotOnTidb("it has no triggers, and a statement writes all its rows at once")
    void waitsForTheRestOfAnInsertWhoseFirstRowLiesInAnotherLane() throws Exception {
        String first = keyInLane(0);
        String rest = keyInLane(1);
        store.execute("CREATE TABLE gate (id INT PRIMARY KEY)");
        store.execute("INSERT INTO gate VALUES (1)");
        store.execute("CREATE TRIGGER stall BEFORE INSERT ON outbox FOR EACH ROW IF NEW.type = 'stalls' THEN "
                + "SET @gate = (SELECT id FROM gate WHERE id = 1 FOR UPDATE); END IF");
        Connection closed = begin(Connection.TRANSACTION_READ_COMMITTED);
        execute(closed, "SELECT id FROM gate FOR UPDATE");
        ScanSession scan = new ScanSession(store, Set.of(1));
        Connection writer = begin(Connection.TRANSACTION_READ_COMMITTED);
        OutboxMessage inOtherLane = message(first);
        OutboxMessage stalled =
                OutboxMessage.builder("orders").key(rest).type("stalls").build();
        CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(writer, inOtherLane, stalled));
        awaitDirtyRow();
        OutboxMessage overtaking = commit(keyInLane(1));
        assertThat(scan.fetch().rows()).extracting(OutboxRow::id).containsExactly(overtaking.id());
        scan.letMarksMove();

        closed.commit();
        insert.get(20, TimeUnit.SECONDS);
        writer.commit();

        assertThat(scan.deliver()).containsExactly(stalled.id());
    }

    private void awaitDirtyRow() throws SQLException {
        Connection dirty = begin(Connection.TRANSACTION_READ_UNCOMMITTED);
        try (Statement statement = dirty.createStatement()) {
            while (true) {
                try (var row = statement.executeQuery("SELECT COUNT(*) FROM outbox")) {
                    row.next();
                    if (row.getInt(1) > 0) {
                        return;
                    }
                }
            }
        }
    }

    @Test
    void holdsThePositionBelowARowInDoubtAndMovesItWhenTheRowIsRolledBack() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection slow = begin(Connection.TRANSACTION_REPEATABLE_READ);
        insert(slow, message("undone"));
        OutboxMessage done = commit("done");
        scan.fetch();
        long seq = scan.seqOf(done);
        scan.settleAll();
        commit("newest");

        scan.letMarksMove();
        assertThat(scan.position(Lane.forKey("done", LANES))).isLessThan(seq - 1);
        slow.rollback();
        scan.letMarksMove();
        assertThat(scan.position(Lane.forKey("done", LANES))).isGreaterThanOrEqualTo(seq);
    }

    @Test
    void passesRowsOfOthersAndRowsInMemory() throws Exception {
        ScanSession scan = new ScanSession(store, Set.of(1));
        commit(keyInLane(0));
        OutboxMessage own = commit(keyInLane(1));
        commit(keyInLane(0));
        OutboxMessage last = commit(keyInLane(1));
        scan.letMarksMove();
        scan.letMarksMove();

        // Still in memory, so a next owner starts below; without it, above all.
        assertThat(scan.position(1)).isEqualTo(scan.seqOf(own) - 1);
        long highest = scan.seqOf(last);
        scan.settleAll();
        assertThat(scan.position(1)).isEqualTo(highest);
    }

    @Test
    void aLaneThatIsNotFetchedHoldsBackNoOther() throws Exception {
        ScanSession scan = new ScanSession(store, Set.of(0, 1));
        OutboxMessage waiting = commit(keyInLane(0));
        commit(keyInLane(1));
        OutboxMessage last = commit(keyInLane(1));
        for (int i = 0; i < 4; i++) {
            scan.passTime();
            scan.fetch(Set.of(1));
        }

        long highest = scan.seqOf(last);
        scan.settleAll();
        assertThat(scan.position(1)).isEqualTo(highest);
        assertThat(scan.position(0)).isLessThan(highest - 2);
        assertThat(scan.deliver()).containsExactly(waiting.id());
    }

    @Test
    void readsALaneAnewAfterItsRowsWereForgotten() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        OutboxMessage first = commit("a");
        OutboxMessage second = commit("a");
        scan.letMarksMove();
        scan.forget();
        assertThat(scan.fetch().rows()).isEmpty();

        ALL.forEach(scan.scan()::restart);

        assertThat(scan.deliver()).containsExactly(first.id(), second.id());
    }

    @Test
    void doesNotSaveAPositionAboveARowOfAnExcludedTopic() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        OutboxMessage paused =
                OutboxMessage.builder("paused").key("a").type("t").build();
        Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED);
        insert(connection, paused);
        connection.commit();
        commit("a");
        scan.exclude("paused");
        scan.letMarksMove();
        scan.settleAll();

        int lane = Lane.forKey("a", LANES);
        ScanSession next = new ScanSession(store, Set.of(lane), scan.savedPosition(lane));

        assertThat(next.deliver()).containsExactly(paused.id());
    }

    @Test
    void aNextOwnerFindsWhatCommittedLateUnderThePreviousOne() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection slow = begin(Connection.TRANSACTION_REPEATABLE_READ);
        OutboxMessage late = message("a");
        insert(slow, late);
        commit("a");
        scan.letMarksMove();
        scan.settleAll();
        int lane = Lane.forKey("a", LANES);
        ScanSession next = new ScanSession(store, Set.of(lane), scan.savedPosition(lane));
        assertThat(next.deliver()).isEmpty();

        slow.commit();

        assertThat(next.deliver()).containsExactly(late.id());
    }

    @Test
    void aLargeLateCommitComesByPagesBeforeEverythingAbove() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection slow = begin(Connection.TRANSACTION_READ_COMMITTED);
        OutboxMessage[] late =
                IntStream.range(0, 25).mapToObj(n -> message("k")).toArray(OutboxMessage[]::new);
        insert(slow, late);
        commit("other");
        scan.fetch();
        slow.commit();
        OutboxMessage last = commit("k");

        List<Long> seqs = new ArrayList<>();
        List<Object> ids = new ArrayList<>();
        for (int page = 0; page < 4; page++) {
            for (OutboxRow row : scan.fetch(ALL, 10).rows()) {
                seqs.add(row.seq());
                ids.add(row.id());
            }
        }

        assertThat(seqs).hasSize(26).isSorted();
        assertThat(ids).last().isEqualTo(last.id());
    }

    private String keyInLane(int lane) {
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> "key-" + n)
                .filter(key -> Lane.forKey(key, LANES) == lane)
                .findFirst()
                .orElseThrow();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
