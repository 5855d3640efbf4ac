package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reading what is due among held messages: no more than is asked for, and nothing that is known. */
interface HeldReadContract extends ContractPart {

    @Test
    default void leavesOutKnownHeldRows() {
        OutboxMessage one = driver().commitOfKey("a", 1).get(0);
        OutboxMessage two = driver().commitOfKey("b", 1).get(0);
        driver().hold(one, Duration.ZERO);
        driver().hold(two, Duration.ZERO);
        List<OutboxRow.Held> rows = driver().fetchDue(Ordering.PER_KEY, 0).rows();
        OutboxRow.Held known = rows.get(0);

        DueRows due = driver().relayStore()
                .held()
                .fetchDue(new DueRequest(driver().allLanes(), StoreDriver.known(List.of(known)), 1, 1_000, 0));

        assertThat(StoreDriver.ids(due.rows())).containsExactly(rows.get(1).id());
        assertThat(due.nextDueIn()).isEmpty();
    }

    @Test
    default void doesNotLookAgainAtOnceForRowsThatAreKnown() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        driver().hold(message, Duration.ZERO);
        List<OutboxRow.Held> rows = driver().fetchDue(Ordering.PER_KEY, 0).rows();

        DueRows due = driver().relayStore()
                .held()
                .fetchDue(new DueRequest(driver().allLanes(), StoreDriver.known(rows), 10, 1_000, 0));

        assertThat(due.rows()).isEmpty();
        assertThat(due.nextDueIn()).isEmpty();
        assertThat(due.lanesWithHeld()).containsExactly(rows.get(0).lane());
    }

    @Test
    default void returnsAtMostTheHeldRowsAskedForAndSaysThatMoreAreDue() {
        List<MessageId> held = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            OutboxMessage message = StoreDriver.message("key-" + i);
            driver().commit(message);
            driver().hold(message, Duration.ZERO);
            held.add(message.id());
        }

        DueRows due = driver().relayStore()
                .held()
                .fetchDue(new DueRequest(driver().allLanes(), StoreDriver.NOTHING_KNOWN, 4, 1_000_000, 10));

        assertThat(due.rows()).hasSize(4);
        assertThat(held).containsAll(StoreDriver.ids(due.rows()));
        assertThat(due.nextDueIn()).contains(Duration.ZERO);
    }

    @Test
    default void returnsAtMostTheHeldBytesAskedForButAlwaysOneRow() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int size : new int[] {5_000, 300, 300, 300}) {
            OutboxMessage message =
                    StoreDriver.builder("t").key("a").payload(new byte[size]).build();
            driver().commit(message);
            messages.add(message);
        }
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        messages.subList(1, 4).forEach(driver()::holdBehind);
        DueRequest request = new DueRequest(driver().allLanes(), StoreDriver.NOTHING_KNOWN, 10, 700, 10);

        assertThat(StoreDriver.ids(
                        driver().relayStore().held().fetchDue(request).rows()))
                .containsExactly(messages.get(0).id());
        driver().apply(RowOutcome.held(head, new RowOutcome.Delivered()));
        assertThat(StoreDriver.ids(
                        driver().relayStore().held().fetchDue(request).rows()))
                .isEqualTo(StoreDriver.idsOf(messages.subList(1, 3)));
    }

    @Test
    default void readsHeldRowsOfTheLanesAskedForOnly() {
        OutboxMessage inZero = StoreDriver.message(driver().keyInLane(0, 0));
        OutboxMessage inOne = StoreDriver.message(driver().keyInLane(1, 0));
        driver().commit(inZero, inOne);
        driver().hold(inZero, Duration.ZERO);
        driver().hold(inOne, Duration.ZERO);

        DueRows due = driver().relayStore()
                .held()
                .fetchDue(new DueRequest(Set.of(1, 2), StoreDriver.NOTHING_KNOWN, 10, 1_000, 0));

        assertThat(StoreDriver.ids(due.rows())).containsExactly(inOne.id());
        assertThat(due.lanesWithHeld()).containsExactly(1);
    }
}
