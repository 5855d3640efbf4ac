package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The fence: a relay that lost its lane can hold, keep, park and bury nothing. */
interface FenceContract extends ContractPart {

    /** Takes the lane of the message with a lease, and lets somebody else take it over. */
    private Lease lost(RowRef ref) {
        Lease lease = driver().store()
                .leases()
                .take(ref.lane(), "zombie", StoreDriver.LONG)
                .orElseThrow()
                .lease();
        driver().store().leases().release(List.of(new Renewal(lease, Optional.empty())));
        driver().lease(ref.lane());
        return lease;
    }

    private void assertRefused(Runnable action, Lease lease) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.lease()).isEqualTo(lease));
    }

    @Test
    default void changesNothingForARelayThatLostItsLane() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        Lease lease = lost(ref);

        for (RowOutcome change : List.of(
                RowOutcome.hot(ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "failed", Duration.ZERO)),
                RowOutcome.hot(ref, new RowOutcome.Behind(StoreDriver.BROKER)),
                RowOutcome.hot(ref, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")),
                RowOutcome.hot(ref, new RowOutcome.Blocked(StoreDriver.BROKER, 1, "failed")))) {
            assertRefused(() -> driver().relayStore().settle(lease, List.of(change)), lease);
        }

        assertThat(driver().hotIds()).containsExactly(message.id());
        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().deadIds()).isEmpty();
    }

    @Test
    default void changesNothingHeldForARelayThatLostItsLane() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef ref = driver().ref(messages.get(0));
        Lease lease = lost(ref);
        driver().hold(messages.get(0), Duration.ZERO);
        driver().holdBehind(messages.get(1));

        for (RowOutcome change : List.of(
                RowOutcome.held(ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 2, "failed", Duration.ofHours(1))),
                RowOutcome.held(ref, new RowOutcome.Delivered()),
                RowOutcome.held(ref, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")),
                RowOutcome.held(ref, new RowOutcome.Blocked(StoreDriver.BROKER, 1, "failed")))) {
            assertRefused(() -> driver().relayStore().settle(lease, List.of(change)), lease);
        }
        assertRefused(() -> driver().relayStore(Ordering.NONE).held().repair(lease, Set.of()), lease);
        assertRefused(() -> driver().relayStore(Ordering.NONE).held().assign(lease, Map.of(ref, "other")), lease);

        assertThat(driver().dueIds()).containsExactly(messages.get(0).id());
    }

    @Test
    default void adoptsNothingForARelayThatLostItsLane() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        Lease lease = lost(driver().ref(message));
        driver().bury(message);
        driver().store().deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann");

        assertRefused(() -> driver().relayStore().held().adoptRetries(lease, 10), lease);

        assertThat(driver().deadIds()).containsExactly(message.id());
    }

    @Test
    default void refusesAnotherOwnerAtTheSameEpoch() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        Lease mine = driver().lease(ref);
        Lease forged = new Lease(mine.lane(), "someone-else", mine.epoch());

        assertRefused(
                () -> driver().relayStore()
                        .settle(forged, List.of(RowOutcome.hot(ref, new RowOutcome.Behind(StoreDriver.BROKER)))),
                forged);
    }

    @Test
    default void refusesAnOlderEpochOfTheSameOwner() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        Lease older = driver().lease(ref);
        assertThat(driver().store().leases().take(ref.lane(), older.owner(), StoreDriver.LONG))
                .isPresent();

        assertRefused(
                () -> driver().relayStore()
                        .settle(older, List.of(RowOutcome.hot(ref, new RowOutcome.Behind(StoreDriver.BROKER)))),
                older);
        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void refusesAReleasedLease() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        Lease lease = driver().lease(ref);
        driver().store().leases().release(List.of(new Renewal(lease, Optional.empty())));

        assertRefused(
                () -> driver().relayStore()
                        .settle(lease, List.of(RowOutcome.hot(ref, new RowOutcome.Behind(StoreDriver.BROKER)))),
                lease);
        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void acceptsAnExpiredLeaseThatNobodyHasTaken() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        Duration shortTime = driver().fixture().shortTime();
        Lease lease = driver().store()
                .leases()
                .take(ref.lane(), "slow", shortTime)
                .orElseThrow()
                .lease();
        driver().fixture().letPass(shortTime);

        driver().relayStore()
                .settle(
                        lease,
                        List.of(RowOutcome.hot(
                                ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 1, "x", Duration.ZERO))));

        assertThat(driver().dueIds()).containsExactly(message.id());
    }

    @Test
    default void deletesWhatWasDeliveredWithoutAnyLease() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().ref(message);
        lost(ref);

        driver().relayStore().deleteDelivered(List.of(ref));

        assertThat(driver().hotRows()).isEmpty();
    }
}
