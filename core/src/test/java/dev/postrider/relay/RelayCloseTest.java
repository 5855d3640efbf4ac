package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay that is closed ends, whatever its destination does; one that hangs says so. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayCloseTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");

    @Test
    void closesTwiceAsWellAsOnce() {
        Relay relay = Relay.withDefaults(store, broker);
        relay.start();

        relay.close();
        relay.close();

        assertThat(relay.isRunning()).isFalse();
        assertThat(relay.ownedLanes()).isEmpty();
    }

    @Test
    void closesThoughASendNeverEndsAndLeavesItsMessageToOthers() {
        broker.hold();
        Relay relay = Relay.builder(store, broker)
                .closeTimeout(Duration.ofMillis(100))
                .build();
        relay.start();
        enqueueOne();
        broker.awaitSent(1, Duration.ofSeconds(30));

        relay.close();

        assertThat(relay.isRunning()).isFalse();
        assertThat(store.stats().undelivered()).isOne();
    }

    private void enqueueOne() {
        Outbox.withDefaults(store)
                .inTransaction(
                        store.dataSource(),
                        tx -> tx.enqueue(
                                OutboxMessage.builder("t").key("k").type("x").build()));
    }

    @Test
    void saysThatAWorkerHangsAndCountsItsLanesNoLonger() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Destination hangs = new ForwardingDestination(broker) {
            @Override
            protected CompletionStage<DeliveryResult> send(
                    OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
                await(never);
                return onward.get();
            }
        };
        try (Relay relay = Relay.builder(store, hangs)
                .workers(1)
                .lease(Duration.ofSeconds(3))
                .closeTimeout(Duration.ofMillis(100))
                .build()) {
            relay.start();
            until(() -> relay.ownedLanes().size() == 4);
            assertThat(relay.isStalled()).isFalse();
            enqueueOne();

            until(relay::isStalled);
            assertThat(relay.ownedLanes()).isEmpty();

            never.countDown();
            until(() -> !relay.isStalled() && relay.ownedLanes().size() == 4);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }
}
