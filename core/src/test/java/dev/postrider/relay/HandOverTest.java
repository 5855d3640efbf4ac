package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long lanes stay without an owner, by the virtual clock: whatever the lease, a clean close hands them over at once. */
class HandOverTest {

    private static final int LANES = 16;
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(LANES, clock);
    private final RelayCore first = relay();
    private final RelayCore second = relay();

    @Test
    void lanesOfARelayThatWasClosedAreTakenOverWithinTwoSeconds() {
        share();
        close(first);

        Duration ownerless = untilOwnedBySecond();

        assertThat(ownerless).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void lanesOfARelayThatDiedAreTakenOverAfterTheirLease() {
        share();

        Duration ownerless = untilOwnedBySecond();

        assertThat(ownerless).isBetween(LEASE.minusSeconds(2), LEASE.plusSeconds(2));
    }

    /** Its keeper goes on, and must not keep the lanes for it: nobody would ever serve them. */
    @Test
    void lanesOfAWorkerThatHangsAreTakenOverAfterTheirLease() {
        share();

        long start = clock.nanoTime();
        while (owned(second) < LANES
                && clock.nanoTime() - start < LEASE.multipliedBy(3).toNanos()) {
            first.keeper().step();
            clock.advance(Duration.ofNanos(step(second)));
        }

        assertThat(owned(second)).isEqualTo(LANES);
        assertThat(owned(first)).as("what the relay that hangs believes to own").isZero();
    }

    @Test
    void aLaneThatIsGoneAlreadyDoesNotCountAsLeavingWhenItIsTakenAgain() {
        LaneRoster roster = first.workers().get(0).roster();
        roster.leave(3);
        first.workers().get(0).step();
        assertThat(roster.leaving()).isEmpty();

        while (owned(first) < LANES) {
            step(first);
        }
        roster.leave(3);
        assertThat(roster.leaving()).containsExactly(3);
    }

    private RelayCore relay() {
        return new RelayBuilder(
                        store,
                        DestinationRouter.to(new SimulatedBroker(clock, Duration.ofSeconds(4)).connect("broker")))
                .workers(1)
                .lease(LEASE)
                .deliveryTimeout(Duration.ofSeconds(4))
                .nanoTime(clock::nanoTime)
                .buildCore(new RelayListener() {});
    }

    /** Both have joined and own half of the lanes each. */
    private void share() {
        first.keeper().step();
        second.keeper().step();
        while (owned(first) < LANES / 2 || owned(second) < LANES / 2) {
            step(first);
            step(second);
        }
    }

    private static int owned(RelayCore relay) {
        return relay.keeper().ownedLanes().size();
    }

    private static long step(RelayCore relay) {
        long pause = relay.keeper().step();
        relay.workers().forEach(LaneWorker::step);
        return pause;
    }

    private void close(RelayCore relay) {
        relay.leaveAll();
        relay.workers().forEach(LaneWorker::step);
        assertThat(relay.ownsNothing()).isTrue();
        store.leases().leave(relay.context().owner());
    }

    private Duration untilOwnedBySecond() {
        long start = clock.nanoTime();
        while (owned(second) < LANES) {
            clock.advance(Duration.ofNanos(step(second)));
        }
        return Duration.ofNanos(clock.nanoTime() - start);
    }
}
