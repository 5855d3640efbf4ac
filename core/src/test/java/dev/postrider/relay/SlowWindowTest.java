package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a worker has in memory of a destination that is slow, beside another one. */
class SlowWindowTest {

    private static final int IN_FLIGHT = 20;

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final Unended slow = new Unended("slow");
    private final RelayCore relay = new RelayBuilder(
                    store,
                    RoutingTable.byTopic().route("quick", new Unended("quick")).otherwise(slow))
            .workers(1)
            .batchSize(IN_FLIGHT)
            .maxInFlight(IN_FLIGHT)
            .deliveryTimeout(Duration.ofSeconds(4))
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});

    @Test
    void aFetchDoesNotExceedTheWindow() {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < 20 * IN_FLIGHT; i++) {
            transaction.enqueue(
                    OutboxMessage.builder("t").key("k" + i).type("x").build());
        }
        transaction.commit();
        run(Duration.ofSeconds(3));
        assertThat(rows()).as("only what is in flight").isEqualTo(IN_FLIGHT);

        for (int i = 0; i < IN_FLIGHT / 2; i++) {
            slow.sends.remove().complete(DeliveryResult.DELIVERED);
        }
        run(Duration.ofSeconds(1));

        assertThat(slow.sends).as("the window has opened").hasSizeGreaterThan(IN_FLIGHT / 2);
        assertThat(rows()).isEqualTo(IN_FLIGHT);
    }

    private int rows() {
        return relay.workers().get(0).gates().all().stream()
                .mapToInt(WorkerGate::rows)
                .sum();
    }

    private void run(Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.keeper().step();
            relay.workers().get(0).step();
            clock.advance(Duration.ofMillis(50));
        }
    }

    private record Unended(String name, Queue<CompletableFuture<DeliveryResult>> sends) implements Destination {

        Unended(String name) {
            this(name, new ArrayDeque<>());
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(4);
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            CompletableFuture<DeliveryResult> send = new CompletableFuture<>();
            sends.add(send);
            return send;
        }
    }
}
