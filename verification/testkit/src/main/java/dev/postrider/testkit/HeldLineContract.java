package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Held messages of one key for several destinations: each destination has a line of its own. */
interface HeldLineContract extends ContractPart {

    String MAIL = "mail";
    String PAPER = "paper";

    @Test
    default void keepsTheDestinationsOfAKeyApart() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        driver().hold(messages.get(0), MAIL, Duration.ofHours(1));

        driver().hold(messages.get(1), PAPER, Duration.ZERO);
        driver().holdBehind(messages.get(2), PAPER);

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages.subList(1, 3)));
    }

    @Test
    default void letsAHeadBeFollowedByMessagesForItsDestinationOnly() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        driver().hold(messages.get(0), MAIL, Duration.ZERO);
        driver().hold(messages.get(1), PAPER, Duration.ofHours(1));
        driver().holdBehind(messages.get(2), MAIL);
        driver().holdBehind(messages.get(3), PAPER);

        assertThat(driver().dueIdsWithFollowers())
                .containsExactly(messages.get(0).id(), messages.get(2).id());
    }

    @Test
    default void makesTheNextForTheSameDestinationDueWhenAHeldMessageIsDelivered() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        RowRef head = driver().hold(messages.get(0), MAIL, Duration.ZERO);
        driver().hold(messages.get(1), PAPER, Duration.ofHours(1));
        driver().holdBehind(messages.get(2), PAPER);
        driver().holdBehind(messages.get(3), MAIL);

        driver().apply(RowOutcome.held(head, new RowOutcome.Delivered()));

        assertThat(driver().dueIds()).containsExactly(messages.get(3).id());
    }

    @Test
    default void passesOverHeldRowsOfExcludedDestinations() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        driver().hold(messages.get(0), MAIL, Duration.ZERO);
        driver().hold(messages.get(1), PAPER, Duration.ZERO);
        driver().holdBehind(messages.get(2), PAPER);

        DueRows due = driver().relayStore()
                .held()
                .fetchDue(new DueRequest(
                        driver().allLanes(),
                        StoreDriver.NOTHING_KNOWN,
                        Set.of(MAIL),
                        Set.of(),
                        Optional.empty(),
                        10,
                        1_000,
                        10));

        assertThat(StoreDriver.ids(due.rows())).isEqualTo(StoreDriver.idsOf(messages.subList(1, 3)));
        assertThat(due.nextDueIn()).isEmpty();
    }

    @Test
    default void saysForWhichDestinationsKeysAreHeld() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef ref = driver().hold(messages.get(0), MAIL, Duration.ofHours(1));
        driver().holdBehind(messages.get(1), MAIL);
        HeldLine held = new HeldLine(ref.lane(), "a", MAIL);

        assertThat(driver().relayStore()
                        .held()
                        .occupied(Set.of(
                                held,
                                new HeldLine(ref.lane(), "a", PAPER),
                                new HeldLine(ref.lane(), "b", MAIL),
                                new HeldLine(ref.lane(), "A", MAIL),
                                new HeldLine(ref.lane(), "a", "Mail"))))
                .containsExactly(held);
        assertThat(driver().relayStore().held().occupied(Set.of())).isEmpty();
    }

    @Test
    default void asksAnewWhereMessagesLeadWhoseDestinationIsGone() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef ref = driver().hold(messages.get(0), "old-mail", Duration.ZERO);
        driver().hold(messages.get(1), PAPER, Duration.ZERO);
        driver().holdBehind(messages.get(2), "old-mail");
        assertThat(driver().relayStore().held().unassigned(ref.lane(), 10, 1_000))
                .isEmpty();

        driver().repair(ref.lane(), Ordering.PER_KEY, MAIL, PAPER);

        assertThat(driver().relayStore().held().unassigned(ref.lane(), 10, 1_000))
                .extracting(OutboxRow::id)
                .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(2).id());
        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
    }

    @Test
    default void putsMessagesInLineThatGetADestination() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 5);
        RowRef ref = driver().hold(messages.get(0), "gone", Duration.ZERO);
        driver().hold(messages.get(1), MAIL, Duration.ZERO);
        driver().holdBehind(messages.get(2), "gone");
        driver().hold(messages.get(3), PAPER, Duration.ZERO);
        RowRef last = driver().holdBehind(messages.get(4), "gone");
        driver().repair(ref.lane(), Ordering.PER_KEY, MAIL, PAPER);

        driver().relayStore().held().assign(driver().lease(ref), Map.of(ref, MAIL, last, PAPER));
        assertThat(driver().dueIds())
                .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(3).id());

        driver().assignAll(ref.lane(), Ordering.PER_KEY, "express");
        assertThat(driver().dueIds())
                .containsExactlyInAnyOrder(
                        messages.get(0).id(),
                        messages.get(2).id(),
                        messages.get(3).id());
        assertThat(driver().dueIdsWithFollowers()).containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }

    @Test
    default void keepsTheDueTimeOfAMessageThatGetsADestination() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().hold(message, "gone", Duration.ofHours(1));
        driver().repair(ref.lane(), Ordering.PER_KEY, MAIL);

        driver().assignAll(ref.lane(), Ordering.PER_KEY, MAIL);

        assertThat(driver().fetchDue(Ordering.PER_KEY, 0).nextDueIn().orElseThrow())
                .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    default void returnsAtMostTheUnassignedRowsAndBytesAskedForButAlwaysOne() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        RowRef ref = driver().hold(messages.get(0), "gone", Duration.ZERO);
        messages.subList(1, 4).forEach(message -> driver().holdBehind(message, "gone"));
        driver().repair(ref.lane(), Ordering.PER_KEY, MAIL);

        assertThat(driver().relayStore().held().unassigned(ref.lane(), 3, 1_000_000))
                .hasSize(3);
        assertThat(driver().relayStore().held().unassigned(ref.lane(), 10, 1)).hasSize(1);
        assertThat(driver().relayStore().held().unassigned((ref.lane() + 1) % 4, 10, 1_000))
                .isEmpty();
    }

    @Test
    default void putsRequestedLettersAheadOfTheRestForTheirDestination() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        RowRef letter = driver().bury(messages.get(0));
        driver().hold(messages.get(1), MAIL, Duration.ZERO);
        driver().hold(messages.get(2), PAPER, Duration.ZERO);
        driver().holdBehind(messages.get(3), PAPER);
        driver().store()
                .deadLetters()
                .requestRetry(DeadLetterFilter.byId(messages.get(0).id()), 10, "ann");

        driver().relayStore().held().adoptRetries(driver().lease(letter), 10);
        assertThat(driver().dueIds())
                .as("until it is known where the letter leads")
                .containsExactlyInAnyOrder(messages.get(1).id(), messages.get(2).id());

        driver().assignAll(letter.lane(), Ordering.PER_KEY, PAPER);
        assertThat(driver().dueIds())
                .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(1).id());
    }

    @Test
    default void blocksAKeyAtOneDestinationOnly() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        RowRef blocked = driver().ref(messages.get(0));
        driver().apply(RowOutcome.hot(blocked, new RowOutcome.Blocked(MAIL, 5, "blocked")));
        driver().holdBehind(messages.get(1), MAIL);
        driver().hold(messages.get(2), PAPER, Duration.ZERO);
        driver().apply(RowOutcome.hot(driver().ref(messages.get(3)), new RowOutcome.Blocked(PAPER, 5, "blocked")));

        assertThat(driver().dueIds()).containsExactly(messages.get(2).id());

        driver().store().unblock(Optional.of("a"), "ann");
        assertThat(driver().dueIds())
                .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(2).id());
    }

    @Test
    default void keepsGlobalOrderAcrossDestinations() {
        driverWithOneLane();
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef first = driver().ref(messages.get(0));
        RowRef second = driver().ref(messages.get(1));

        driver().apply(
                        Ordering.GLOBAL,
                        RowOutcome.hot(first, new RowOutcome.RetryLater("gone", 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(second, new RowOutcome.RetryLater(PAPER, 1, "failed", Duration.ZERO)));
        driver().repair(first.lane(), Ordering.GLOBAL, MAIL, PAPER);
        assertThat(driver().fetchDue(Ordering.GLOBAL, 0).rows()).isEmpty();

        driver().assignAll(first.lane(), Ordering.GLOBAL, MAIL);
        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.GLOBAL, 0).rows()))
                .containsExactly(messages.get(0).id());
    }
}
