package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A destination that takes messages and is slow to acknowledge them, beside one that is not. Takes seconds, so {@code verify} runs it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowDestinationIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int IN_FLIGHT = 20;
    private static final int MANY = 10 * IN_FLIGHT;
    private static final int KEYS = 7;

    private final RecordingDestination slow = new RecordingDestination("slow");
    private final RecordingDestination quick = new RecordingDestination("quick");
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);

    @Test
    void othersFlowPastADestinationThatIsSlowWhenTopicsDecide() {
        flowsPast(RoutingTable.byTopic().route("quick", quick).otherwise(slow));
    }

    @Test
    void othersFlowPastADestinationThatIsSlowWhenHeadersDecide() {
        flowsPast(RoutingTable.byHeader("to").route("quick", quick).otherwise(slow));
    }

    private void flowsPast(RoutingTable table) {
        slow.hold();
        try (Relay relay = relay(table)) {
            relay.start();
            enqueue("slow", 0);
            slow.awaitSent(1, SOON);
            enqueue("quick", 0);
            quick.awaitDelivered(MANY, SOON);
            enqueue("quick", MANY);
            quick.awaitDelivered(2 * MANY, SOON);
            assertThat(slow.delivered()).isEmpty();

            slow.release();
            slow.awaitDelivered(MANY, SOON);
            enqueue("slow", MANY);
            slow.awaitDelivered(2 * MANY, SOON);
        }
        assertInOrderAndOnce(slow.delivered());
        assertInOrderAndOnce(quick.delivered());
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void drainsAlsoWhatWasPassedOverWhileADestinationWasSlow() throws Exception {
        slow.hold();
        enqueue("slow", 0);
        enqueue("quick", 0);
        try (Relay relay = relay(RoutingTable.byTopic().route("quick", quick).otherwise(slow))) {
            CompletableFuture<DrainReport> drain = CompletableFuture.supplyAsync(relay::drainOnce);
            quick.awaitDelivered(MANY, SOON);
            slow.release();

            DrainReport report = drain.get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(report.isComplete()).isTrue();
            assertThat(report.delivered()).isEqualTo(2 * MANY);
        }
    }

    /** A machine that stands still for a second makes any destination slow: one undisturbed round is enough. */
    @Test
    void doesNotTakeABusyDestinationForASlowOne() {
        AtomicInteger slowDowns = new AtomicInteger();
        RelayListener listener = new RelayListener() {
            @Override
            public void slow(String destination, int inFlight) {
                slowDowns.incrementAndGet();
            }
        };
        ScheduledExecutorService acknowledgements = Executors.newSingleThreadScheduledExecutor();
        RoutingTable table =
                RoutingTable.byTopic().route("quick", quick).otherwise(new LateDestination(acknowledgements));
        try (Relay relay = builder(table).listener(listener).build()) {
            relay.start();
            assertThat(IntStream.range(0, 6).anyMatch(round -> {
                        slowDowns.set(0);
                        keepBusyFor(Duration.ofMillis(1_500));
                        return slowDowns.get() == 0;
                    }))
                    .as("a round without a destination said to be slow")
                    .isTrue();
        } finally {
            acknowledgements.shutdownNow();
        }
    }

    private void keepBusyFor(Duration time) {
        Instant end = Instant.now().plus(time);
        while (Instant.now().isBefore(end)) {
            if (outbox.stats().undelivered() < MANY) {
                enqueue("busy", 0);
            }
        }
    }

    /** Acknowledges everything, on another thread and a moment later. */
    private record LateDestination(ScheduledExecutorService acknowledgements) implements Destination {

        @Override
        public String name() {
            return "busy";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            CompletableFuture<DeliveryResult> sent = new CompletableFuture<>();
            var unused =
                    acknowledgements.schedule(() -> sent.complete(DeliveryResult.DELIVERED), 2, TimeUnit.MILLISECONDS);
            return sent;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(5);
        }
    }

    private Relay relay(RoutingTable table) {
        return builder(table).build();
    }

    private RelayBuilder builder(RoutingTable table) {
        return Relay.builder(store, table).workers(1).batchSize(IN_FLIGHT).maxInFlight(IN_FLIGHT);
    }

    private void enqueue(String to, int first) {
        for (int n = first; n < first + MANY; n++) {
            OutboxMessage message = OutboxMessage.builder(to)
                    .type("t" + n)
                    .key("k" + n % KEYS)
                    .header("to", to)
                    .build();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        }
    }

    private static void assertInOrderAndOnce(List<OutboxMessage> delivered) {
        Map<String, List<Integer>> byKey = new HashMap<>();
        for (OutboxMessage message : delivered) {
            byKey.computeIfAbsent(message.key().orElseThrow(), key -> new ArrayList<>())
                    .add(Integer.parseInt(message.type().substring(1)));
        }
        assertThat(delivered).hasSize(2 * MANY);
        assertThat(byKey.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
    }
}
