package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Blocked keys: nothing of them is due until an operator acts. */
interface BlockContract extends ContractPart {

    private RowRef block(OutboxMessage message) {
        RowRef ref = driver().ref(message);
        driver().apply(RowOutcome.hot(ref, new RowOutcome.Blocked(StoreDriver.BROKER, 5, "blocked")));
        return ref;
    }

    @Test
    default void neverMakesABlockedMessageOrTheRestOfItsKeyDue() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);

        RowRef blocked = block(messages.get(0));
        driver().holdBehind(messages.get(1));
        driver().repair(blocked.lane(), Ordering.PER_KEY, StoreDriver.BROKER);

        DueRows due = driver().fetchDue(Ordering.PER_KEY, 10);
        assertThat(due.rows()).isEmpty();
        assertThat(due.nextDueIn()).isEmpty();
        assertThat(due.lanesWithHeld()).containsExactly(blocked.lane());
    }

    @Test
    default void blocksAMessageThatIsHeldAlready() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().hold(message, Duration.ZERO);

        driver().apply(RowOutcome.held(ref, new RowOutcome.Blocked(StoreDriver.BROKER, 5, "blocked")));

        assertThat(driver().dueIds()).isEmpty();
    }

    @Test
    default void makesABlockedMessageDueWithNewAttemptsWhenItIsUnblocked() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        block(messages.get(0));
        driver().holdBehind(messages.get(1));

        assertThat(driver().store().unblock(Optional.of("a"), "ann")).isEqualTo(1);

        List<OutboxRow.Held> due = driver().fetchDue(Ordering.PER_KEY, 10).rows();
        assertThat(StoreDriver.ids(due)).isEqualTo(StoreDriver.idsOf(messages));
        assertThat(due.get(0).attempts()).isZero();
        assertThat(driver().fixture().operations())
                .extracting(OperationRecord::operator, OperationRecord::action, OperationRecord::affected)
                .containsExactly(tuple("ann", "unblock", 1));
    }

    @Test
    default void unblocksOneKeyOrAll() {
        OutboxMessage one = driver().commitOfKey("a", 1).get(0);
        OutboxMessage two = driver().commitOfKey("b", 1).get(0);
        OutboxMessage three = driver().commitOfKey("c", 1).get(0);
        List.of(one, two, three).forEach(this::block);

        assertThat(driver().store().unblock(Optional.of("nobody"), "ann")).isZero();
        assertThat(driver().store().unblock(Optional.of("b"), "ann")).isEqualTo(1);
        assertThat(driver().dueIds()).containsExactly(two.id());
        assertThat(driver().store().unblock(Optional.empty(), "ann")).isEqualTo(2);
        assertThat(driver().dueIds()).containsExactlyInAnyOrder(one.id(), two.id(), three.id());
    }

    @Test
    default void sendsALateLowerMessageOfABlockedKeyAndThenWaitsAgain() {
        Connection slow = driver().begin();
        OutboxMessage late = StoreDriver.message("a");
        driver().insert(slow, late);
        OutboxMessage blocked = driver().commitOfKey("a", 1).get(0);
        block(blocked);
        StoreDriver.commit(slow);

        RowRef ref = driver().holdBehind(late);
        assertThat(driver().dueIdsWithFollowers()).containsExactly(late.id());

        driver().store().unblock(Optional.empty(), "ann");
        assertThat(driver().dueIds()).containsExactly(late.id());
        assertThat(driver().dueIdsWithFollowers()).containsExactly(late.id(), blocked.id());

        driver().apply(RowOutcome.held(ref, new RowOutcome.Delivered()));
        assertThat(driver().dueIds()).containsExactly(blocked.id());
    }

    @Test
    default void unblocksAMessageWithoutOrder() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        List<RowRef> refs = messages.stream().map(driver()::ref).toList();
        driver().apply(
                        Ordering.NONE,
                        RowOutcome.hot(
                                refs.get(0),
                                new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ofHours(1))));
        driver().apply(
                        Ordering.NONE,
                        RowOutcome.hot(refs.get(1), new RowOutcome.Blocked(StoreDriver.BROKER, 5, "blocked")));
        assertThat(driver().fetchDue(Ordering.NONE, 0).rows()).isEmpty();

        driver().store().unblock(Optional.empty(), "ann");

        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.NONE, 0).rows()))
                .containsExactly(messages.get(1).id());
    }
}
