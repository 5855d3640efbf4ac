package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.FaultInjector.Fault;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database was restarted after a crash, or replaced: nothing that was read before means anything. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NewIncarnationTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final RecordingDestination destination = new RecordingDestination("broker");
    private final Queue<String> settled = new ConcurrentLinkedQueue<>();
    private final CountDownLatch noticed = new CountDownLatch(1);

    @Test
    void nothingFromBeforeIsSettledAndEverythingIsReadAgain() throws InterruptedException {
        store.injectFaults(this::watch);
        destination.hold();
        try (Relay relay = Relay.builder(store, destination).build()) {
            relay.start();
            OutboxMessage message =
                    OutboxMessage.builder("orders").type("t").key("k").build();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
            destination.awaitSent(1, SOON);
            store.restart();
            assertThat(noticed.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(settled).isEmpty();

            destination.release();
            destination.awaitDelivered(2, SOON);
            assertThat(destination.delivered()).extracting(OutboxMessage::id).containsOnly(message.id());
        }
        assertThat(settled).hasSize(1);
        assertThat(store.stats().undelivered()).isZero();
    }

    private Fault watch(String operation) {
        if (operation.equals("scan.startAnew")) {
            noticed.countDown();
        } else if (operation.startsWith("settlements.")) {
            settled.add(operation);
        }
        return Fault.NONE;
    }
}
