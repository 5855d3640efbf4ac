package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A relay that cannot renew its lease sends nothing that might arrive after somebody else has taken over. */
class LeaseMarginTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(4);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final SimulatedBroker broker = new SimulatedBroker(clock, DELIVERY_TIMEOUT);
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(broker.connect("broker")))
            .workers(1)
            .lease(LEASE)
            .deliveryTimeout(DELIVERY_TIMEOUT)
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});

    @Test
    void sendsWhileTheLeaseOutlastsTheSend() {
        takeLaneWithThreeMessagesOfOneKey();
        loseTheStore();
        clock.advance(Duration.ofSeconds(3));
        acknowledgeTheFirst();
        clock.advance(Duration.ofMillis(2999));

        acknowledgeTheFirst();

        assertThat(broker.outstanding()).isOne();
    }

    @Test
    void beginsNoSendThatMightOutlastItsLease() {
        takeLaneWithThreeMessagesOfOneKey();
        loseTheStore();
        clock.advance(Duration.ofSeconds(3));
        acknowledgeTheFirst();
        clock.advance(Duration.ofSeconds(3));

        acknowledgeTheFirst();

        assertThat(broker.outstanding()).isZero();
        assertThat(relay.keeper().ownedLanes()).containsExactly(0);
    }

    @Test
    void goesOnWhenTheLeaseIsRenewedAfterAll() {
        beginsNoSendThatMightOutlastItsLease();

        store.injectFaults(operation -> Fault.NONE);
        clock.advance(Duration.ofSeconds(1));
        relay.workers().get(0).step();

        assertThat(broker.outstanding()).isOne();
    }

    @Test
    void forgetsTheLaneWhenItsOwnClockSaysThatTheLeaseIsOver() {
        takeLaneWithThreeMessagesOfOneKey();
        loseTheStore();
        clock.advance(LEASE);

        relay.workers().get(0).step();

        assertThat(relay.keeper().ownedLanes()).isEmpty();
    }

    private void takeLaneWithThreeMessagesOfOneKey() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < 3; i++) {
            transaction.enqueue(OutboxMessage.builder("t").key("k").type("x").build());
        }
        transaction.commit();
        relay.keeper().step();
        relay.workers().get(0).step();
        assertThat(broker.outstanding()).isOne();
    }

    private void loseTheStore() {
        store.injectFaults(operation -> Fault.BEFORE);
    }

    private void acknowledgeTheFirst() {
        broker.end(0, DeliveryResult.DELIVERED, true);
        relay.workers().get(0).step();
    }
}
