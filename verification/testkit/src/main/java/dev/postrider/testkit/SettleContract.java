package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
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

        driver().relayStore().deleteDelivered(refs.subList(0, 19));

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

        driver().relayStore().deleteDelivered(refs);

        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void deletesNothingThatHasAnotherIdOrLane() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        RowRef otherId =
                new RowRef(ref.lane(), ref.seq(), MessageIdGenerator.uuidV7().next());
        RowRef otherLane = new RowRef((ref.lane() + 1) % 4, ref.seq(), ref.id());

        driver().relayStore().deleteDelivered(List.of(otherId, otherLane));
        driver().relayStore().deleteDelivered(List.of());

        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void appliesNothingToARowWithAnotherId() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        RowRef other =
                new RowRef(ref.lane(), ref.seq(), MessageIdGenerator.uuidV7().next());

        driver().apply(
                        RowOutcome.hot(
                                other, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(other, new RowOutcome.Behind(StoreDriver.BROKER)),
                        RowOutcome.held(
                                other, new RowOutcome.RetryLater(StoreDriver.BROKER, 2, "failed", Duration.ZERO)),
                        RowOutcome.held(other, new RowOutcome.Delivered()),
                        RowOutcome.hot(other, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")),
                        RowOutcome.held(other, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")),
                        RowOutcome.hot(other, new RowOutcome.Blocked(StoreDriver.BROKER, 1, "failed")));

        assertThat(driver().hotIds()).containsExactly(message.id());
        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
    }

    @Test
    default void appliesNothingToARowThatIsGone() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        driver().relayStore().deleteDelivered(List.of(ref));

        driver().apply(RowOutcome.hot(ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)));
        driver().apply(RowOutcome.hot(ref, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")));

        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
    }

    @Test
    default void appliesNoOutcomesAtAll() {
        driver().relayStore().settle(driver().lease(0), List.of());
    }

    @Test
    default void refusesAnOutcomeOfAnotherLane() {
        OutboxMessage message = StoreDriver.message(driver().keyInLane(1, 0));
        driver().commit(message);
        RowOutcome outcome = RowOutcome.hot(driver().ref(message), new RowOutcome.Behind(StoreDriver.BROKER));

        assertThatThrownBy(() -> driver().relayStore().settle(driver().lease(0), List.of(outcome)))
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

        driver().apply(
                        RowOutcome.hot(first, new RowOutcome.Delivered()),
                        RowOutcome.hot(second, new RowOutcome.Delivered()));

        assertThat(driver().store().keepsDelivered()).isTrue();
        assertThat(driver().hotIds()).containsExactly(messages.get(2).id());
        assertThat(driver().fixture().kept()).containsExactly(first.id(), second.id());
    }

    @Test
    default void keepsDeliveredHeldRowsInTheAuditTrail() {
        driverWithAuditTrail();
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef first = driver().hold(messages.get(0), Duration.ZERO);
        RowRef second = driver().holdBehind(messages.get(1));

        driver().apply(RowOutcome.held(first, new RowOutcome.Delivered()));
        driver().apply(RowOutcome.held(second, new RowOutcome.Delivered()));

        assertThat(driver().fixture().kept()).containsExactly(first.id(), second.id());
        assertThat(driver().dueIds()).isEmpty();
    }

    @Test
    default void removesDeliveredRowsWhereThereIsNoAuditTrail() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef held = driver().hold(messages.get(0), Duration.ZERO);
        RowRef hot = driver().ref(messages.get(1));

        driver().apply(
                        RowOutcome.held(held, new RowOutcome.Delivered()),
                        RowOutcome.hot(hot, new RowOutcome.Delivered()));

        assertThat(driver().hotIds()).isEmpty();
        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
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

        driver().apply(RowOutcome.hot(
                ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 3, "broker said no", Duration.ZERO)));

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

        driver().apply(RowOutcome.hot(ref, new RowOutcome.Dead(DeadReason.ATTEMPTS_EXHAUSTED, 5, "no luck")));

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

        driver().apply(RowOutcome.held(ref, new RowOutcome.Dead(DeadReason.ATTEMPTS_EXHAUSTED, 2, "no luck")));

        DeadLetter letter = driver().deadLetter(message);
        assertThat(driver().dueIds()).isEmpty();
        assertThat(letter.firstFailedAt().orElseThrow()).isBefore(letter.diedAt());
    }

    @Test
    default void storesTheBeginningOfALongErrorWithoutBreakingACharacter() {
        OutboxMessage message = StoreDriver.message("a");
        driver().commit(message);
        String error = "a\0b" + "x".repeat(1_021) + "😀😀";

        driver().apply(RowOutcome.hot(driver().ref(message), new RowOutcome.Dead(DeadReason.REJECTED, 1, error)));

        assertThat(driver().deadLetter(message).error()).isEqualTo("ab" + "x".repeat(1_021));
    }

    @Test
    default void appliesOutcomesOfAllKindsTogether() {
        List<OutboxMessage> failing = driver().commitOfKey("a", 3);
        OutboxMessage rejected = StoreDriver.message("a");
        driver().commit(rejected);
        List<RowRef> refs = failing.stream().map(driver()::ref).toList();

        driver().apply(
                        RowOutcome.hot(refs.get(1), new RowOutcome.Behind(StoreDriver.BROKER)),
                        RowOutcome.hot(driver().ref(rejected), new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")),
                        RowOutcome.hot(
                                refs.get(0), new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                        RowOutcome.hot(refs.get(2), new RowOutcome.Behind(StoreDriver.BROKER)));

        assertThat(driver().hotRows()).isEmpty();
        assertThat(driver().dueIds()).containsExactly(failing.get(0).id());
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(failing));
        assertThat(driver().deadIds()).containsExactly(rejected.id());
    }
}
