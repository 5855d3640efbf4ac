package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Held messages: of each key the lowest is due, the others follow it, and no key is ever stuck. */
interface HeldContract extends ContractPart {

    @Test
    default void isEmptyAtFirst() {
        DueRows due = driver().fetchDue(Ordering.PER_KEY, 10);

        assertThat(due.rows()).isEmpty();
        assertThat(due.nextDueIn()).isEmpty();
        assertThat(due.lanesWithHeld()).isEmpty();
    }

    @Test
    default void returnsAHeldMessageWhenItIsDueAndNotBefore() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        Duration delay = driver().fixture().shortTime();
        RowRef ref = driver().hold(message, delay);

        DueRows before = driver().fetchDue(Ordering.PER_KEY, 10);
        driver().fixture().letPass(delay);
        DueRows after = driver().fetchDue(Ordering.PER_KEY, 10);

        assertThat(before.rows()).isEmpty();
        assertThat(before.nextDueIn().orElseThrow()).isPositive().isLessThanOrEqualTo(delay);
        assertThat(before.lanesWithHeld()).containsExactly(ref.lane());
        assertThat(StoreDriver.ids(after.rows())).containsExactly(message.id());
        assertThat(after.nextDueIn()).isEmpty();
        assertThat(after.databaseTime()).isAfter(before.databaseTime());
    }

    @Test
    default void returnsADueMessageFollowedByTheRestOfItsKey() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 5);
        driver().hold(messages.get(0), Duration.ZERO);
        List<RowRef> refs = messages.subList(1, 5).stream().map(driver()::ref).toList();
        driver().apply(refs.stream()
                .map(ref -> RowOutcome.hot(ref, new RowOutcome.Behind(StoreDriver.BROKER)))
                .toArray(RowOutcome[]::new));

        assertThat(driver().dueIds()).containsExactly(messages.get(0).id());
        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.PER_KEY, 2).rows()))
                .isEqualTo(StoreDriver.idsOf(messages.subList(0, 3)));
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages));
    }

    @Test
    default void makesTheNextOfTheKeyDueAtOnceWhenAHeldMessageIsDelivered() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        RowRef next = driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));

        driver().apply(RowOutcome.held(head, new RowOutcome.Delivered()));
        assertThat(driver().dueIds()).containsExactly(next.id());

        driver().apply(RowOutcome.held(next, new RowOutcome.Delivered()));
        assertThat(driver().dueIds()).containsExactly(messages.get(2).id());
    }

    @Test
    default void deliversAHeadAndItsFollowersTogether() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        RowRef next = driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));

        driver().apply(
                        RowOutcome.held(head, new RowOutcome.Delivered()),
                        RowOutcome.held(next, new RowOutcome.Delivered()));

        assertThat(driver().dueIds()).containsExactly(messages.get(2).id());
    }

    @Test
    default void makesTheNextOfTheKeyDueAtOnceWhenAHeldMessageIsGivenUp() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = driver().hold(messages.get(0), Duration.ofHours(1));
        driver().holdBehind(messages.get(1));

        driver().apply(RowOutcome.held(head, new RowOutcome.Dead(DeadReason.ATTEMPTS_EXHAUSTED, 9, "no luck")));

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
        assertThat(driver().deadIds()).containsExactly(messages.get(0).id());
    }

    @Test
    default void postponesAHeldMessageThatFailsAgainAndCountsItsAttempts() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        driver().holdBehind(messages.get(1));

        driver().apply(RowOutcome.held(
                head, new RowOutcome.RetryLater(StoreDriver.BROKER, 2, "again", Duration.ofHours(1))));
        assertThat(driver().dueIds()).isEmpty();

        driver().apply(RowOutcome.held(head, new RowOutcome.RetryLater(StoreDriver.BROKER, 3, "again", Duration.ZERO)));
        OutboxRow.Held held = driver().fetchDue(Ordering.PER_KEY, 0).rows().get(0);
        assertThat(held.id()).isEqualTo(messages.get(0).id());
        assertThat(held.attempts()).isEqualTo(3);
    }

    @Test
    default void makesAMessageDueAtOnceThatIsPutBehindNobody() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        // The head is delivered while the next one is on its way to wait behind it.
        driver().apply(RowOutcome.held(head, new RowOutcome.Delivered()));

        driver().holdBehind(messages.get(1));

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
    }

    @Test
    default void letsANewArrivalTakeOverFromAHeadDeliveredInTheSameTransaction() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);

        driver().apply(
                        RowOutcome.hot(driver().ref(messages.get(1)), new RowOutcome.Behind(StoreDriver.BROKER)),
                        RowOutcome.held(head, new RowOutcome.Delivered()));

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
    }

    @Test
    default void letsALateLowerMessageBecomeTheHead() {
        Connection slow = driver().begin();
        OutboxMessage late = StoreDriver.message("a");
        driver().insert(slow, late);
        OutboxMessage early = driver().commitOfKey("a", 1).get(0);
        driver().hold(early, Duration.ZERO);
        StoreDriver.commit(slow);

        driver().holdBehind(late);

        assertThat(driver().dueIds()).containsExactly(late.id());
        assertThat(driver().dueIdsWithFollowers()).containsExactly(late.id(), early.id());
    }

    @Test
    default void letsOnlyTheLowestBeDueWhenAHigherOneFails() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        driver().hold(messages.get(0), Duration.ofHours(1));

        driver().hold(messages.get(1), Duration.ZERO);

        assertThat(driver().dueIds()).isEmpty();
    }

    @Test
    default void keepsKeysApart() {
        String one = driver().keyInLane(0, 0);
        String two = driver().keyInLane(0, 1);
        OutboxMessage first = driver().commitOfKey(one, 1).get(0);
        OutboxMessage second = driver().commitOfKey(two, 1).get(0);
        driver().hold(first, Duration.ofHours(1));

        driver().hold(second, Duration.ZERO);

        assertThat(driver().dueIds()).containsExactly(second.id());
    }

    @Test
    default void makesEachMessageWithoutKeyDueOnItsOwn() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            messages.add(StoreDriver.builder("t").build());
        }
        driver().commit(messages.toArray(OutboxMessage[]::new));

        driver().hold(messages.get(0), Duration.ofHours(1));
        driver().hold(messages.get(1), Duration.ZERO);
        driver().holdBehind(messages.get(2));

        assertThat(driver().dueIds())
                .containsExactlyInAnyOrder(messages.get(1).id(), messages.get(2).id());
    }

    @Test
    default void makesEveryHeldMessageDueWithoutOrder() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        List<RowRef> refs = messages.stream().map(driver()::ref).toList();

        driver().apply(
                        Ordering.NONE,
                        RowOutcome.hot(
                                refs.get(0), new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(
                                refs.get(1), new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(refs.get(2), new RowOutcome.Behind(StoreDriver.BROKER)));

        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.NONE, 0).rows()))
                .containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }

    @Test
    default void makesOnlyTheLowestOfAllDueInGlobalOrder() {
        driverWithOneLane();
        OutboxMessage first = driver().commitOfKey("a", 1).get(0);
        OutboxMessage second = driver().commitOfKey("b", 1).get(0);
        RowRef refOfFirst = driver().ref(first);
        RowRef refOfSecond = driver().ref(second);

        driver().apply(
                        Ordering.GLOBAL,
                        RowOutcome.hot(
                                refOfSecond, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(
                                refOfFirst, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)));
        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.GLOBAL, 0).rows()))
                .containsExactly(first.id());

        driver().apply(Ordering.GLOBAL, RowOutcome.held(refOfFirst, new RowOutcome.Delivered()));
        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.GLOBAL, 0).rows()))
                .containsExactly(second.id());
    }

    @Test
    default void repairsWhateverStateALaneIsIn() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        List<RowRef> refs = messages.stream().map(driver()::ref).toList();
        driver().apply(
                        Ordering.NONE,
                        RowOutcome.hot(refs.get(0), new RowOutcome.Behind(StoreDriver.BROKER)),
                        RowOutcome.hot(refs.get(1), new RowOutcome.Behind(StoreDriver.BROKER)),
                        RowOutcome.hot(refs.get(2), new RowOutcome.Behind(StoreDriver.BROKER)));

        driver().repair(refs.get(0).lane(), Ordering.PER_KEY, StoreDriver.BROKER);
        assertThat(driver().dueIds()).containsExactly(messages.get(0).id());

        driver().repair(refs.get(0).lane(), Ordering.NONE, StoreDriver.BROKER);
        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.NONE, 0).rows()))
                .containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }

    @Test
    default void leavesDueTimesThatAreRightAsTheyAre() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().hold(message, Duration.ofHours(1));

        driver().repair(ref.lane(), Ordering.PER_KEY, StoreDriver.BROKER);

        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().fetchDue(Ordering.PER_KEY, 0).nextDueIn().orElseThrow())
                .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    default void holdsHundredsOfKeysAtOnce() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            messages.add(StoreDriver.message(driver().keyInLane(0, 0) + (i % 150)));
        }
        driver().commit(messages.toArray(OutboxMessage[]::new));
        List<OutboxRow> rows = driver().hotRows();

        driver().apply(rows.stream()
                .map(row -> RowOutcome.hot(
                        row.ref(), new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)))
                .toArray(RowOutcome[]::new));

        assertThat(driver().hotRows()).isEmpty();
        assertThat(driver().dueIds()).containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages.subList(0, 150)));
        assertThat(driver().dueIdsWithFollowers()).containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }
}
