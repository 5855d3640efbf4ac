package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.FaultInjector;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DrainTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination orders = new RecordingDestination("orders");
    private final RecordingDestination mails = new RecordingDestination("mails");

    @Test
    void endsWhenAWorkerHasNoLane() {
        InMemoryOutboxStore oneLane = new InMemoryOutboxStore(1, Clock.systemUTC());
        enqueue(oneLane, "orders");

        assertThat(Relay.builder(oneLane, orders).workers(3).build().drainOnce())
                .isEqualTo(new DrainReport(1, 0, 0, true));
    }

    @Test
    void leavesEverythingToARelayThatOwnsAllLanes() {
        for (int lane = 0; lane < 4; lane++) {
            store.leases().take(lane, "other", Duration.ofMinutes(1));
        }
        enqueue(store, "orders");

        assertThat(Relay.withDefaults(store, orders).drainOnce()).isEqualTo(new DrainReport(0, 0, 0, true));
        assertThat(store.stats().undelivered()).isOne();
    }

    @Test
    void endsWhenAFailedMessageStopsAllOthersInGlobalOrder() {
        InMemoryOutboxStore oneLane = new InMemoryOutboxStore(1, Clock.systemUTC());
        Relay relay = Relay.builder(oneLane, orders)
                .ordering(Ordering.GLOBAL)
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build();
        orders.answerNext(DeliveryResult.retry("busy"));
        enqueue(oneLane, "orders");
        enqueue(oneLane, "orders");

        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 1, 0, true));
    }

    @Test
    void countsEachRunAlone() {
        Relay relay = Relay.withDefaults(store, orders);
        enqueue(store, "orders");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, true));

        orders.answerNext(DeliveryResult.reject("bad"));
        enqueue(store, "orders");
        enqueue(store, "orders");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 1, 1, true));
    }

    @Test
    void deliversWhatHasBecomeDueSinceTheLastRunAndWhatAnOperatorWants() {
        TestClock clock = new TestClock();
        InMemoryOutboxStore timed = new InMemoryOutboxStore(4, clock);
        Relay relay = Relay.builder(timed, orders)
                .housekeepingInterval(Duration.ofHours(1))
                .build();
        orders.answerNext(DeliveryResult.reject("bad"));
        enqueue(timed, "orders");
        InMemoryTransaction transaction = timed.begin();
        transaction.enqueue(OutboxMessage.builder("orders")
                .type("Happened")
                .deliverAfter(Duration.ofMinutes(1))
                .build());
        transaction.commit();
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 1, 1, true));

        clock.advance(Duration.ofMinutes(1));
        timed.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(2, 0, 0, true));
    }

    @Test
    void deliversWhatAnOutageHadStoppedInALaterRun() {
        Relay relay = Relay.builder(store, orders)
                .outageBackoff(Backoff.constant(Duration.ofNanos(1)))
                .build();
        orders.answerNext(DeliveryResult.outage("no route"));
        enqueue(store, "orders");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 0, 0, false));

        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, true));
    }

    @Test
    void endsAtOnceWhileTheOutageLasts() {
        Relay relay = Relay.builder(store, orders)
                .outageBackoff(Backoff.constant(Duration.ofHours(1)))
                .build();
        orders.answerNext(DeliveryResult.outage("no route"));
        enqueue(store, "orders");
        relay.drainOnce();

        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 0, 0, false));
    }

    @Test
    void endsAtOnceWhileItsDestinationIsPaused() {
        store.pauses().pause("orders", "operator");
        enqueue(store, "orders");
        Relay relay = Relay.withDefaults(store, orders);

        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 0, 0, false));
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(0, 0, 0, false));

        store.pauses().resume("orders", "operator");
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, true));
    }

    @Test
    void goesOnWithOtherDestinationsWhileOneIsPausedOrDown() {
        mails.answer(message -> DeliveryResult.outage("no route"));
        for (int i = 0; i < 10; i++) {
            enqueue(store, "orders");
            enqueue(store, "mails");
        }

        DrainReport report = Relay.builder(store, byTopic())
                .outageBackoff(Backoff.constant(Duration.ofHours(1)))
                .build()
                .drainOnce();

        assertThat(report).isEqualTo(new DrainReport(10, 0, 0, false));
        assertThat(store.stats().undelivered()).isEqualTo(10);
    }

    @Test
    void endsWhenTheStoreFailsAndSaysSo() {
        enqueue(store, "orders");
        Relay relay = Relay.withDefaults(store, orders);
        store.injectFaults(operation -> operation.equals("scan.fetch") ? Fault.BEFORE : Fault.NONE);
        assertThat(relay.drainOnce().isComplete()).isFalse();

        store.injectFaults(FaultInjector.none());
        assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, true));
    }

    private static void enqueue(InMemoryOutboxStore store, String topic) {
        InMemoryTransaction transaction = store.begin();
        transaction.enqueue(OutboxMessage.builder(topic).type("Happened").build());
        transaction.commit();
    }

    private DestinationRouter byTopic() {
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return message.topic().equals("mails") ? mails : orders;
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(orders, mails);
            }
        };
    }
}
