package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators do to the message that holds back its key. */
interface HeldHeadContract extends ContractPart {

    private RowRef holdForLong(OutboxMessage message) {
        return driver().hold(message, Duration.ofHours(1));
    }

    private boolean retry(RowRef row) {
        return driver().store().retryHeld(row, "ann");
    }

    private boolean discard(RowRef row) {
        return driver().store().discardHeld(row, "ann");
    }

    @Test
    default void retriesAHeldMessageAtOnceAndTheRestOfItsKeyFollows() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef head = holdForLong(messages.get(0));
        RowRef follower = driver().holdBehind(messages.get(1));
        assertThat(driver().dueIds()).isEmpty();

        assertThat(retry(follower)).isFalse();
        assertThat(retry(head)).isTrue();
        assertThat(retry(head)).isFalse();

        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages));
        assertThat(driver().fixture().operations())
                .extracting(OperationRecord::operator, OperationRecord::action, OperationRecord::affected)
                .containsExactly(tuple("ann", "retry held", 1));
    }

    @Test
    default void discardsAHeldMessageAndTheNextOfItsKeyGoesOn() {
        OutboxMessage other = driver().commitOfKey("b", 1).get(0);
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        holdForLong(other);
        RowRef head = holdForLong(messages.get(0));
        RowRef follower = driver().holdBehind(messages.get(1));
        driver().holdBehind(messages.get(2));

        assertThat(discard(follower)).isFalse();
        assertThat(discard(head)).isTrue();
        assertThat(discard(head)).isFalse();

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
        assertThat(driver().fixture().operations())
                .extracting(OperationRecord::operator, OperationRecord::action, OperationRecord::affected)
                .containsExactly(tuple("ann", "discard held", 1));
    }

    @Test
    default void discardsABlockedMessage() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef blocked = driver().ref(messages.get(0));
        driver().apply(RowOutcome.hot(blocked, new RowOutcome.Blocked(StoreDriver.BROKER, 5, "blocked")));
        driver().holdBehind(messages.get(1));

        assertThat(retry(blocked)).isFalse();
        assertThat(discard(blocked)).isTrue();

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
    }

    /** A relay may have it in its hands. */
    @Test
    default void leavesAMessageAloneThatIsDue() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef due = driver().hold(message, Duration.ZERO);

        assertThat(retry(due)).isFalse();
        assertThat(discard(due)).isFalse();

        assertThat(driver().dueIds()).containsExactly(message.id());
        assertThat(driver().fixture().operations()).isEmpty();
    }

    @Test
    default void discardsWithoutOrder() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        List<RowRef> refs = messages.stream().map(driver()::ref).toList();
        for (RowRef ref : refs) {
            driver().apply(
                            Ordering.NONE,
                            RowOutcome.hot(
                                    ref,
                                    new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ofHours(1))));
        }

        assertThat(discard(refs.get(0))).isTrue();

        assertThat(driver().fetchDue(Ordering.NONE, 0).rows()).isEmpty();
    }
}
