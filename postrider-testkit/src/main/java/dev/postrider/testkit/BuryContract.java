package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys that are given up as a whole, until an operator has them replayed. */
interface BuryContract extends ContractPart {

    private void buryKey(RowRef ref, boolean held) {
        driver().apply(new Change.BuryKey(
                ref, StoreDriver.BROKER, held, "a", DeadReason.ATTEMPTS_EXHAUSTED, 4, "no luck"));
    }

    private KeyState stateOfNewArrival() {
        OutboxMessage arrival = driver().commitOfKey("a", 1).get(0);
        return ((OutboxRow.Hot) driver().hotRow(arrival)).keyState();
    }

    @Test
    default void buriesAHotRowAndEverythingHeldAfterIt() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef head = driver().ref(messages.get(0));
        driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));

        buryKey(head, false);

        assertThat(driver().deadIds()).isEqualTo(StoreDriver.idsOf(messages));
        assertThat(driver().deadLetter(messages.get(0)).reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
        assertThat(driver().deadLetter(messages.get(0)).attempts()).isEqualTo(4);
        assertThat(driver().deadLetter(messages.get(2)).reason()).isEqualTo(DeadReason.KEY_BURIED);
        assertThat(driver().fetchDue(Ordering.PER_KEY, 10).lanesWithHeld()).isEmpty();
        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void buriesAHeldRowAndEverythingHeldAfterIt() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));

        buryKey(head, true);

        assertThat(driver().deadIds()).isEqualTo(StoreDriver.idsOf(messages));
        assertThat(driver().deadLetter(messages.get(1)).reason()).isEqualTo(DeadReason.KEY_BURIED);
        assertThat(driver().fetchDue(Ordering.PER_KEY, 10).lanesWithHeld()).isEmpty();
    }

    @Test
    default void leavesOtherKeysAlone() {
        String other = driver().keyInLane(0, 1);
        OutboxMessage message =
                driver().commitOfKey(driver().keyInLane(0, 0), 1).get(0);
        OutboxMessage bystander = driver().commitOfKey(other, 1).get(0);
        driver().hold(bystander, Duration.ZERO);

        driver().apply(new Change.BuryKey(
                driver().ref(message),
                StoreDriver.BROKER,
                false,
                message.key().orElseThrow(),
                DeadReason.REJECTED,
                1,
                "refused"));

        assertThat(driver().deadIds()).containsExactly(message.id());
        assertThat(driver().dueIds()).containsExactly(bystander.id());
    }

    @Test
    default void marksTheKeyForLaterArrivals() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);

        buryKey(driver().ref(message), false);
        assertThat(stateOfNewArrival()).isEqualTo(KeyState.BURIED);

        // A second burial of the same key is nothing special.
        buryKey(driver().hotRows().get(0).ref(), false);
        assertThat(stateOfNewArrival()).isEqualTo(KeyState.BURIED);
    }

    @Test
    default void liftsTheMarkerWhenTheKeyIsReplayed() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));
        buryKey(head, true);
        driver().store().deadLetters().requestRetry(DeadLetterFilter.all().withKey("a"), 100, "ann");

        // The limit does not tear a buried key apart.
        assertThat(driver().store().held().adoptRetries(driver().lease(head), Ordering.PER_KEY, 1))
                .isEqualTo(3);
        driver().assignAll(head.lane(), Ordering.PER_KEY, StoreDriver.BROKER);

        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages));
        assertThat(driver().dueIds()).containsExactly(messages.get(0).id());
        assertThat(stateOfNewArrival()).isEqualTo(KeyState.HELD);
    }

    @Test
    default void liftsTheMarkerWhenTheLastLetterOfTheKeyIsDiscarded() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = driver().hold(messages.get(0), Duration.ZERO);
        driver().holdBehind(messages.get(1));
        buryKey(head, true);

        driver().store()
                .deadLetters()
                .discard(DeadLetterFilter.byId(messages.get(0).id()), 10, "ann");
        assertThat(stateOfNewArrival()).isEqualTo(KeyState.BURIED);

        driver().store().deadLetters().discard(DeadLetterFilter.all(), 10, "ann");
        assertThat(stateOfNewArrival()).isEqualTo(KeyState.FREE);
    }
}
