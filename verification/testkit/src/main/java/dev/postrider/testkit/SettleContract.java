package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settling: each outcome moves its row, and only its row. */
interface SettleContract extends ContractPart {

    @Test
    default void deletesDeliveredRowsOfAnyLanes() {
        for (int i = 0; i < 20; i++) {
            driver().commit(StoreDriver.message("key-" + i));
        }
        List<RowRef> refs = driver().hotRows().stream().map(OutboxRow::ref).toList();

        driver().store().settlements().delete(refs.subList(0, 19));

        assertThat(driver().hotIds()).containsExactly(refs.get(19).id());
    }

    @Test
    default void deletesThousandsOfRowsAtOnce() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            messages.add(StoreDriver.message("key-" + i % 50));
        }
        driver().commit(messages.toArray(OutboxMessage[]::new));
        List<RowRef> refs = driver().hotRows().stream().map(OutboxRow::ref).toList();

        driver().store().settlements().delete(refs);

        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void deletesNothingThatHasAnotherIdOrLane() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        RowRef otherId =
                new RowRef(ref.lane(), ref.seq(), MessageIdGenerator.uuidV7().next());
        RowRef otherLane = new RowRef((ref.lane() + 1) % 4, ref.seq(), ref.id());

        driver().store().settlements().delete(List.of(otherId, otherLane));
        driver().store().settlements().delete(List.of());

        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void appliesNothingToARowWithAnotherId() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        RowRef other =
                new RowRef(ref.lane(), ref.seq(), MessageIdGenerator.uuidV7().next());

        driver().apply(
                        new Change.Hold(other, StoreDriver.BROKER, 1, "failed", Duration.ZERO),
                        new Change.HoldBehind(other, StoreDriver.BROKER),
                        new Change.HoldAgain(other, 2, "failed", Duration.ZERO),
                        new Change.DeliverHeld(other, false),
                        new Change.Bury(other, false, DeadReason.REJECTED, 1, "refused"),
                        new Change.Bury(other, true, DeadReason.REJECTED, 1, "refused"),
                        new Change.Block(other, StoreDriver.BROKER, false, 1, "failed"));

        assertThat(driver().hotIds()).containsExactly(message.id());
        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
    }

    @Test
    default void appliesNothingToARowThatIsGone() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        driver().store().settlements().delete(List.of(ref));

        driver().apply(new Change.Hold(ref, StoreDriver.BROKER, 1, "failed", Duration.ZERO));
        driver().apply(new Change.Bury(ref, false, DeadReason.REJECTED, 1, "refused"));

        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
    }

    @Test
    default void appliesNoChangesAtAll() {
        driver().store().settlements().apply(driver().lease(0), Ordering.PER_KEY, List.of());
    }

    @Test
    default void refusesAChangeOfAnotherLane() {
        OutboxMessage message = StoreDriver.message(driver().keyInLane(1, 0));
        driver().commit(message);
        Change change = new Change.HoldBehind(driver().ref(message), StoreDriver.BROKER);

        assertThatThrownBy(() ->
                        driver().store().settlements().apply(driver().lease(0), Ordering.PER_KEY, List.of(change)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lane 1");
        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void keepsDeliveredRowsInTheAuditTrail() {
        driverWithAuditTrail();
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        RowRef first = driver().ref(messages.get(0));
        RowRef second = driver().ref(messages.get(1));

        driver().apply(new Change.Keep(first), new Change.Keep(second));

        assertThat(driver().store().keepsDelivered()).isTrue();
        assertThat(driver().hotIds()).containsExactly(messages.get(2).id());
        assertThat(driver().fixture().kept()).containsExactly(first.id(), second.id());
    }

    @Test
    default void keepsDeliveredHeldRowsInTheAuditTrailWhenAsked() {
        driverWithAuditTrail();
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef first = driver().hold(messages.get(0), Duration.ZERO);
        RowRef second = driver().holdBehind(messages.get(1));

        driver().apply(new Change.DeliverHeld(first, true));
        driver().apply(new Change.DeliverHeld(second, false));

        assertThat(driver().fixture().kept()).containsExactly(first.id());
        assertThat(driver().dueIds()).isEmpty();
    }

    @Test
    default void holdsAFailedMessageWithItsAttemptsAndContent() {
        OutboxMessage message = StoreDriver.builder("orders")
                .key("a")
                .header("h", "v")
                .payload(StoreDriver.bytes("x"))
                .build();
        driver().commit(message);
        RowRef ref = driver().ref(message);

        driver().apply(new Change.Hold(ref, StoreDriver.BROKER, 3, "broker said no", Duration.ZERO));

        OutboxRow.Held held = driver().fetchDue(Ordering.PER_KEY, 0).rows().get(0);
        assertThat(driver().hotRows()).isEmpty();
        assertThat(held.ref()).isEqualTo(ref);
        assertThat(held.attempts()).isEqualTo(3);
        assertThat(held.message().headers()).isEqualTo(message.headers());
        assertThat(held.message().payload()).isEqualTo(message.payload());
        assertThat(held.message().key()).contains("a");
    }

    @Test
    default void buriesAFailedMessageWithItsReason() {
        OutboxMessage message = StoreDriver.message("a");
        driver().commit(message);
        RowRef ref = driver().ref(message);

        driver().apply(new Change.Bury(ref, false, DeadReason.ATTEMPTS_EXHAUSTED, 5, "no luck"));

        DeadLetter letter = driver().deadLetter(message);
        assertThat(driver().hotRows()).isEmpty();
        assertThat(letter.ref()).isEqualTo(ref);
        assertThat(letter.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
        assertThat(letter.attempts()).isEqualTo(5);
        assertThat(letter.error()).isEqualTo("no luck");
        assertThat(letter.message().payload()).isEqualTo(message.payload());
        assertThat(letter.retryRequested()).isFalse();
        assertThat(letter.firstFailedAt()).isPresent();
        assertThat(letter.diedAt()).isAfterOrEqualTo(letter.createdAt());
    }

    @Test
    default void buriesAHeldMessageWithTheTimeOfItsFirstFailure() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().hold(message, Duration.ZERO);
        driver().fixture().letPass(Duration.ofMillis(5));

        driver().apply(new Change.Bury(ref, true, DeadReason.ATTEMPTS_EXHAUSTED, 2, "no luck"));

        DeadLetter letter = driver().deadLetter(message);
        assertThat(driver().dueIds()).isEmpty();
        assertThat(letter.firstFailedAt().orElseThrow()).isBefore(letter.diedAt());
    }

    @Test
    default void storesTheBeginningOfALongErrorWithoutBreakingACharacter() {
        OutboxMessage message = StoreDriver.message("a");
        driver().commit(message);
        String error = "a\0b" + "x".repeat(1_021) + "😀😀";

        driver().apply(new Change.Bury(driver().ref(message), false, DeadReason.REJECTED, 1, error));

        assertThat(driver().deadLetter(message).error()).isEqualTo("ab" + "x".repeat(1_021));
    }

    @Test
    default void appliesChangesOfAllKindsTogether() {
        List<OutboxMessage> failing = driver().commitOfKey("a", 3);
        OutboxMessage rejected = StoreDriver.message("a");
        driver().commit(rejected);
        List<RowRef> refs = failing.stream().map(driver()::ref).toList();

        driver().apply(
                        new Change.HoldBehind(refs.get(1), StoreDriver.BROKER),
                        new Change.Bury(driver().ref(rejected), false, DeadReason.REJECTED, 1, "refused"),
                        new Change.Hold(refs.get(0), StoreDriver.BROKER, 1, "failed", Duration.ZERO),
                        new Change.HoldBehind(refs.get(2), StoreDriver.BROKER));

        assertThat(driver().hotRows()).isEmpty();
        assertThat(driver().dueIds()).containsExactly(failing.get(0).id());
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(failing));
        assertThat(driver().deadIds()).containsExactly(rejected.id());
    }
}
