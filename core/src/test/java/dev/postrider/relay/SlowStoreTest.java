package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A worker with all lanes on a store that takes almost a third of a lease for each call: one pass over the lanes takes several leases, and
 * yet the worker moves, so it keeps them all.
 */
class SlowStoreTest {

    private static final int LANES = 16;
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration CALL = LEASE.multipliedBy(3).dividedBy(10);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(LANES, clock);
    private final SimulatedBroker broker = new SimulatedBroker(clock, Duration.ofSeconds(4));
    private final List<Integer> lost = new ArrayList<>();
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(broker.connect("broker")))
            .workers(1)
            .lease(LEASE)
            .deliveryTimeout(Duration.ofSeconds(4))
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {
                @Override
                public void laneLost(int lane) {
                    lost.add(lane);
                }
            });

    @Test
    void keepsItsLanesWhileItOpensThemOneByOne() {
        takeAllLanes();
        slowDown();

        step();

        assertAllAreKept();
    }

    @Test
    void keepsItsLanesWhileItRecordsFailuresLaneByLane() {
        enqueueToEveryLane();
        takeAllLanes();
        step();
        endAll(DeliveryResult.retry("not now"));
        slowDown();

        step();

        assertAllAreKept();
        assertThat(store.stats().held()).isGreaterThanOrEqualTo(LANES);
    }

    @Test
    void keepsItsLanesWhileItCarriesOutRetriesLaneByLane() {
        enqueueToEveryLane();
        takeAllLanes();
        step();
        endAll(DeliveryResult.reject("never"));
        step();
        store.deadLetters().requestRetry(DeadLetterFilter.all(), Integer.MAX_VALUE, "operator");
        clock.advance(Duration.ofSeconds(2));
        slowDown();

        step();
        step();

        assertAllAreKept();
        assertThat(store.stats().dead()).isZero();
    }

    /** Their leases run from the moment at which they were acquired. */
    @Test
    void keepsLanesThatItGetsInTheMidstOfALongPass() {
        takeLanes(LANES / 2);
        slowDown(() -> takeLanes(relay.keeper().ownedLanes().size() + 1));

        step();
        step();

        assertAllAreKept();
    }

    private void takeAllLanes() {
        takeLanes(LANES);
    }

    private void takeLanes(int count) {
        for (int i = 0; i < LANES && relay.keeper().ownedLanes().size() < Math.min(count, LANES); i++) {
            relay.keeper().step();
        }
    }

    private void enqueueToEveryLane() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < LANES * 20; i++) {
            transaction.enqueue(
                    OutboxMessage.builder("t").key("key-" + i).type("x").build());
        }
        transaction.commit();
    }

    private void slowDown() {
        slowDown(() -> {});
    }

    private void slowDown(Runnable meanwhile) {
        boolean[] isBusy = {false};
        store.injectFaults(operation -> {
            if (!isBusy[0]) {
                isBusy[0] = true;
                meanwhile.run();
                clock.advance(CALL);
                isBusy[0] = false;
            }
            return Fault.NONE;
        });
    }

    private void endAll(DeliveryResult result) {
        while (broker.outstanding() > 0) {
            broker.end(0, result, true);
        }
    }

    private void step() {
        relay.workers().get(0).step();
    }

    private void assertAllAreKept() {
        assertThat(lost).as("lost lanes").isEmpty();
        assertThat(relay.keeper().ownedLanes()).hasSize(LANES);
        assertThat(store.leases().lanes())
                .allMatch(
                        lane -> lane.owner().equals(Optional.of(relay.context().owner())) && lane.isOwned());
    }
}
