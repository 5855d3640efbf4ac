package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are not sent because their place is closed take no turn in the trial of a destination that is suspected. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrialTurnTest implements RelayListener {

    private static final Duration BACKOFF = Duration.ofMillis(200);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, Clock.systemUTC());
    private final Broker broker = new Broker();
    private final AtomicInteger outages = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesOfAClosedPlaceTakeNoTurnOfATrial(boolean concernsTopic) {
        broker.concernsTopic = concernsTopic;
        try (Relay relay = Relay.builder(store, broker)
                .outageBackoff(Backoff.constant(BACKOFF))
                .listener(this)
                .build()) {
            relay.start();
            enqueue(message("missing", "first"));
            await(() -> broker.refused.get() > 0);
            enqueue(messages("poison", 5));
            await(() -> outages.get() > 0);
            enqueue(messages("missing", 3_000));
            enqueue(message("good", "good"));
            int before = outages.get();

            await(() -> broker.taken.get() > 0);

            assertThat(outages.get() - before).isLessThan(5);
        }
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        outages.incrementAndGet();
    }

    private static OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic).key(key).type("T").build();
    }

    private static OutboxMessage[] messages(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> message(topic, topic + i))
                .toArray(OutboxMessage[]::new);
    }

    private void enqueue(OutboxMessage... messages) {
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(messages));
    }

    private static void await(BooleanSupplier condition) {
        long giveUpAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(giveUpAt);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Lacks one topic, fails for another. */
    private static final class Broker implements Destination {

        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicInteger taken = new AtomicInteger();
        private volatile boolean concernsTopic;

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(
                    switch (message.topic()) {
                        case "missing" -> {
                            refused.incrementAndGet();
                            yield DeliveryResult.unavailable("topic missing", "it does not exist")
                                    .concerningTopic(concernsTopic);
                        }
                        case "poison" -> DeliveryResult.retry("poison");
                        default -> {
                            taken.incrementAndGet();
                            yield DeliveryResult.DELIVERED;
                        }
                    });
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
