package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Scanning the hot table: no committed row is missed, and none comes in the wrong order. */
interface ScanContract extends ContractPart {

    @Test
    default void returnsNothingFromAnEmptyTable() {
        Fetched fetched = driver().scan().fetch(driver().request());

        assertThat(fetched.rows()).isEmpty();
        assertThat(fetched.more()).isFalse();
        assertThat(fetched.newIncarnation()).isFalse();
    }

    @Test
    default void returnsRowsBySeqWithinEachLane() {
        for (int i = 0; i < 40; i++) {
            driver().commit(StoreDriver.message("key-" + i));
        }

        List<OutboxRow> rows = driver().scan().fetch(driver().request()).rows();

        assertThat(rows).hasSize(40);
        for (int lane : driver().allLanes()) {
            assertThat(rows.stream().filter(row -> row.lane() == lane).map(OutboxRow::seq))
                    .isSorted();
        }
    }

    @Test
    default void returnsNewRowsOfLaterFetches() {
        LaneScan scan = driver().scan();
        driver().commitOfKey("a", 2);
        List<OutboxRow> known = scan.fetch(driver().request()).rows();
        OutboxMessage third = StoreDriver.message("a");
        driver().commit(third);

        List<OutboxRow> rows = driver().drain(scan, known, 100);

        assertThat(StoreDriver.ids(rows)).containsExactly(third.id());
    }

    @Test
    default void returnsARowThatCommitsAfterHigherOnesWereReturned() {
        LaneScan scan = driver().scan();
        Connection slow = driver().begin();
        OutboxMessage late = StoreDriver.message("a");
        driver().insert(slow, late);
        driver().commitOfKey("b", 3);
        List<OutboxRow> known = driver().drain(scan, List.of(), 100);
        assertThat(known).hasSize(3);

        StoreDriver.commit(slow);

        assertThat(StoreDriver.ids(driver().drain(scan, known, 100))).containsExactly(late.id());
    }

    @Test
    default void returnsALateRowAlsoAfterTheHigherOnesAreGone() {
        LaneScan scan = driver().scan();
        Connection slow = driver().begin();
        OutboxMessage late = StoreDriver.message("a");
        driver().insert(slow, late);
        driver().commitOfKey("a", 3);
        List<OutboxRow> rows = driver().drain(scan, List.of(), 100);
        driver().relayStore().deleteDelivered(rows.stream().map(OutboxRow::ref).toList());
        driver().drain(scan, List.of(), 100);

        StoreDriver.commit(slow);

        assertThat(StoreDriver.ids(driver().drain(scan, List.of(), 100))).containsExactly(late.id());
    }

    @Test
    default void returnsEveryRowOfManyOverlappingTransactions() {
        LaneScan scan = driver().scan();
        List<Connection> open = new ArrayList<>();
        List<MessageId> committed = new ArrayList<>();
        List<OutboxRow> seen = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            OutboxMessage message = StoreDriver.message("key-" + i);
            Connection connection = driver().begin();
            driver().insert(connection, message);
            open.add(connection);
            committed.add(message.id());
            if (open.size() == 4) {
                StoreDriver.commit(open.remove(i % 4));
                seen.addAll(driver().drain(scan, seen, 3));
            }
        }
        open.forEach(StoreDriver::commit);
        seen.addAll(driver().drain(scan, seen, 3));

        assertThat(StoreDriver.ids(seen)).containsExactlyInAnyOrderElementsOf(committed);
    }

    @Test
    default void keepsAKeysOrderWhenRowsCommitBetweenPages() {
        LaneScan scan = driver().scan();
        Connection slow = driver().begin();
        OutboxMessage first = StoreDriver.message("k");
        driver().insert(slow, first);
        for (int i = 0; i < 30; i++) {
            driver().commit(StoreDriver.message("other-" + i));
        }
        List<OutboxRow> rows = new ArrayList<>(
                scan.fetch(driver().request(StoreDriver.NOTHING_KNOWN, 5)).rows());

        StoreDriver.commit(slow);
        OutboxMessage second = StoreDriver.message("k");
        driver().commit(second);
        rows.addAll(driver().drain(scan, rows, 5));

        assertThat(rows).hasSize(32);
        assertThat(StoreDriver.ids(rows)).containsSubsequence(first.id(), second.id());
    }

    @Test
    default void doesNotReturnDeletedRows() {
        driver().commitOfKey("a", 3);
        List<OutboxRow> rows = driver().hotRows();

        driver().relayStore().deleteDelivered(List.of(rows.get(1).ref()));

        assertThat(driver().hotIds())
                .containsExactly(rows.get(0).id(), rows.get(2).id());
    }

    @Test
    default void goesOnAtASavedPositionWithoutMissingWhatIsUnsettled() {
        driver().commitOfKey("a", 6);
        LaneScan scan = driver().scan();
        List<OutboxRow> rows = driver().drain(scan, List.of(), 100);
        int lane = rows.get(0).lane();
        driver().relayStore()
                .deleteDelivered(List.of(rows.get(0).ref(), rows.get(2).ref()));
        Connection slow = driver().begin();
        OutboxMessage late = StoreDriver.message("a");
        driver().insert(slow, late);
        driver().commitOfKey("a", 1);
        driver().drain(scan, rows, 100);

        Optional<String> position = scan.position(lane, rows.get(1).seq());
        driver().store().leases().release(List.of(new Renewal(driver().lease(lane), position)));
        TakenLane taken = driver().store()
                .leases()
                .take(lane, "relay-b", StoreDriver.LONG)
                .orElseThrow();
        LaneScan next = driver().relayStore().openScan();
        next.add(taken);
        FetchRequest request = new FetchRequest(Set.of(lane), StoreDriver.NOTHING_KNOWN, Set.of(), 100, 1 << 20);
        List<OutboxRow> found = new ArrayList<>(next.fetch(request).rows());
        StoreDriver.commit(slow);
        FetchRequest again = new FetchRequest(Set.of(lane), StoreDriver.known(found), Set.of(), 100, 1 << 20);
        found.addAll(next.fetch(again).rows());
        found.addAll(next.fetch(new FetchRequest(Set.of(lane), StoreDriver.known(found), Set.of(), 100, 1 << 20))
                .rows());

        assertThat(StoreDriver.ids(found)).containsExactlyInAnyOrderElementsOf(driver().hotIds());
        assertThat(StoreDriver.ids(found)).contains(late.id()).hasSize(6);
    }

    @Test
    default void saysWhetherAKeyIsFreeOrHeld() {
        OutboxMessage held = driver().commitOfKey("held", 1).get(0);
        driver().hold(held, Duration.ofHours(1));
        OutboxMessage behindHeld = StoreDriver.message("held");
        OutboxMessage free = StoreDriver.message("free");
        OutboxMessage keyless = StoreDriver.builder("t").build();
        driver().commit(behindHeld, free, keyless);

        assertThat(keyState(behindHeld)).isEqualTo(KeyState.HELD);
        assertThat(keyState(free)).isEqualTo(KeyState.FREE);
        assertThat(keyState(keyless)).isEqualTo(KeyState.FREE);
    }

    @Test
    default void tellsKeysApartByBytes() {
        OutboxMessage held = StoreDriver.message("key");
        driver().commit(held);
        driver().hold(held, Duration.ofHours(1));
        OutboxMessage upper = StoreDriver.message("KEY");
        OutboxMessage padded = StoreDriver.message("key ");
        OutboxMessage accented = StoreDriver.message("kéy");
        driver().commit(upper, padded, accented);

        assertThat(List.of(keyState(upper), keyState(padded), keyState(accented)))
                .containsOnly(KeyState.FREE);
    }

    private KeyState keyState(OutboxMessage message) {
        return ((OutboxRow.Hot) driver().hotRow(message)).keyState();
    }

    @Test
    default void sweepsCommittedRowsInOrderWhateverTheScanHasSeen() {
        driver().commitOfKey("a", 5);
        driver().commit(StoreDriver.builder("other").key("a").build());
        Connection open = driver().begin();
        driver().insert(open, StoreDriver.message("a"));
        LaneScan scan = driver().scan();
        List<OutboxRow> rows = driver().drain(scan, List.of(), 100);
        int lane = rows.get(0).lane();
        long[] seqs = rows.stream().mapToLong(OutboxRow::seq).toArray();

        assertThat(scan.sweep(lane, Set.of(), Duration.ZERO, 100)).hasSize(6).containsExactly(seqs);
        assertThat(scan.sweep(lane, Set.of("other", "unknown"), Duration.ZERO, 100))
                .containsExactly(Arrays.copyOf(seqs, 5));
        assertThat(scan.sweep(lane, Set.of(), Duration.ZERO, 2)).containsExactly(seqs[0], seqs[1]);
        assertThat(scan.sweep(lane, Set.of(), Duration.ofHours(1), 100)).isEmpty();
        StoreDriver.rollback(open);
    }

    @Test
    default void tellsTheTimeOfTheStore() {
        LaneScan scan = driver().scan();
        OutboxMessage message = StoreDriver.message("a");
        driver().commit(message);

        Fetched fetched = scan.fetch(driver().request());

        assertThat(fetched.rows().get(0).createdAt())
                .isBetween(fetched.databaseTime().minusSeconds(60), fetched.databaseTime());
    }
}
