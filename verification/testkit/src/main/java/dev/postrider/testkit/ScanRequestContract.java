package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a scan is asked for: the lanes, topics, rows and bytes of one fetch, and what it may leave out. */
interface ScanRequestContract extends ContractPart {

    @Test
    default void doesNotReturnWhatIsKnown() {
        driver().commitOfKey("a", 5);
        List<OutboxRow> all = driver().hotRows();

        List<OutboxRow> rows = driver().scan()
                .fetch(driver().request(StoreDriver.known(all.subList(0, 3)), 100))
                .rows();

        assertThat(StoreDriver.ids(rows)).isEqualTo(StoreDriver.ids(all.subList(3, 5)));
    }

    @Test
    default void returnsUnknownRowsAgainAfterARestart() {
        driver().commitOfKey("a", 5);
        LaneScan scan = driver().scan();
        List<OutboxRow> all = driver().drain(scan, List.of(), 100);
        List<OutboxRow> kept = all.subList(2, 3);

        driver().allLanes().forEach(scan::restart);

        List<OutboxRow> again = driver().drain(scan, kept, 100);
        assertThat(StoreDriver.ids(again))
                .containsExactly(
                        all.get(0).id(),
                        all.get(1).id(),
                        all.get(3).id(),
                        all.get(4).id());
    }

    @Test
    default void startsALaneAnewThatWasRemovedAndAdded() {
        driver().commitOfKey("a", 2);
        LaneScan scan = driver().scan();
        List<OutboxRow> rows = driver().drain(scan, List.of(), 100);
        int lane = rows.get(0).lane();

        scan.remove(lane);
        scan.add(new TakenLane(driver().lease(lane), Optional.empty()));

        assertThat(StoreDriver.ids(driver().drain(scan, List.of(), 100))).isEqualTo(StoreDriver.ids(rows));
    }

    @Test
    default void readsOnlyTheLanesAskedFor() {
        OutboxMessage inZero = StoreDriver.message(driver().keyInLane(0, 0));
        OutboxMessage inOne = StoreDriver.message(driver().keyInLane(1, 0));
        driver().commit(inZero, inOne);
        LaneScan scan = driver().scan();

        FetchRequest request = new FetchRequest(Set.of(1), StoreDriver.NOTHING_KNOWN, Set.of(), 100, 1 << 20);
        List<OutboxRow> onlyOne = scan.fetch(request).rows();

        assertThat(StoreDriver.ids(onlyOne)).containsExactly(inOne.id());
        assertThat(StoreDriver.ids(driver().drain(scan, onlyOne, 100))).containsExactly(inZero.id());
    }

    @Test
    default void passesOverExcludedTopicsUntilARestart() {
        OutboxMessage paused = StoreDriver.message("a", "paused");
        OutboxMessage flowing = StoreDriver.message("a", "flowing");
        driver().commit(paused, flowing);
        LaneScan scan = driver().scan();

        List<OutboxRow> rows =
                scan.fetch(StoreDriver.excluding(driver().request(), "paused")).rows();
        assertThat(StoreDriver.ids(rows)).containsExactly(flowing.id());

        driver().allLanes().forEach(scan::restart);
        assertThat(StoreDriver.ids(driver().drain(scan, rows, 100))).containsExactly(paused.id());
    }

    @Test
    default void countsOnlyUnknownAndWantedRowsTowardsTheLimit() {
        driver().commitOfKey("a", 10);
        List<OutboxRow> all = driver().hotRows();
        driver().commit(StoreDriver.message("a", "paused"), StoreDriver.message("a", "paused"));
        OutboxMessage last = StoreDriver.message("a");
        driver().commit(last);

        Fetched fetched =
                driver().scan().fetch(StoreDriver.excluding(driver().request(StoreDriver.known(all), 1), "paused"));

        assertThat(StoreDriver.ids(fetched.rows())).containsExactly(last.id());
    }

    @Test
    default void returnsAtMostTheRowsAskedForAndSaysThatThereIsMore() {
        driver().commitOfKey("a", 10);
        List<OutboxRow> all = driver().hotRows();
        LaneScan scan = driver().scan();

        Fetched first = scan.fetch(driver().request(StoreDriver.NOTHING_KNOWN, 4));

        assertThat(StoreDriver.ids(first.rows())).isEqualTo(StoreDriver.ids(all.subList(0, 4)));
        assertThat(first.more()).isTrue();
        assertThat(StoreDriver.ids(driver().drain(scan, first.rows(), 4)))
                .isEqualTo(StoreDriver.ids(all.subList(4, 10)));
    }

    @Test
    default void returnsAtMostTheBytesAskedForButAlwaysOneRow() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int size : new int[] {5_000, 300, 300, 300}) {
            OutboxMessage message =
                    StoreDriver.builder("t").key("a").payload(new byte[size]).build();
            driver().commit(message);
            messages.add(message);
        }
        List<MessageId> ids = StoreDriver.idsOf(messages);
        LaneScan scan = driver().scan();
        FetchRequest request = new FetchRequest(driver().allLanes(), StoreDriver.NOTHING_KNOWN, Set.of(), 100, 700);

        Fetched large = scan.fetch(request);
        Fetched small =
                scan.fetch(new FetchRequest(driver().allLanes(), StoreDriver.known(large.rows()), Set.of(), 100, 700));

        assertThat(StoreDriver.ids(large.rows())).containsExactly(ids.get(0));
        assertThat(large.more()).isTrue();
        assertThat(StoreDriver.ids(small.rows())).isEqualTo(ids.subList(1, 3));
        assertThat(small.more()).isTrue();
    }
}
