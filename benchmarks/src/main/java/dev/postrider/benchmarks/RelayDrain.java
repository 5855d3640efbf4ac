package dev.postrider.benchmarks;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Drains a backlog with a relay that has every option at its default and, where nothing else is said, sends to nowhere. */
final class RelayDrain {

    private static final CompletionStage<DeliveryResult> DELIVERED =
            CompletableFuture.completedFuture(DeliveryResult.DELIVERED);

    private RelayDrain() {}

    /** Acknowledges at once. */
    static Destination nowhere() {
        return new Destination() {
            @Override
            public String name() {
                return "nowhere";
            }

            @Override
            public CompletionStage<DeliveryResult> send(OutboxMessage message) {
                return DELIVERED;
            }

            @Override
            public Duration deliveryTimeout() {
                return Duration.ofSeconds(1);
            }
        };
    }

    /** Drains all of this many messages and returns the rate, as {@link Stretch} defines it. */
    static double drain(OutboxStore store, long messages) throws InterruptedException {
        return drain(store, nowhere(), messages);
    }

    /** The same to this destination. */
    static double drain(OutboxStore store, Destination destination, long messages) throws InterruptedException {
        Stretch stretch = new Stretch(messages);
        Counter counter = new Counter(stretch);
        try (Relay relay = Relay.builder(store, destination).listener(counter).build()) {
            relay.start();
            counter.await();
        }
        return stretch.rate();
    }

    /** Delivers whatever is there. */
    static void empty(OutboxStore store) {
        Relay.withDefaults(store, nowhere()).drainOnce();
    }

    /** Counts what was settled. */
    private static final class Counter implements RelayListener {

        private final Stretch stretch;
        private final AtomicLong settled = new AtomicLong();
        private final CountDownLatch end = new CountDownLatch(1);

        Counter(Stretch stretch) {
            this.stretch = stretch;
        }

        @Override
        public void settled(int rows, Duration took) {
            if (stretch.reached(settled.addAndGet(rows))) {
                end.countDown();
            }
        }

        void await() throws InterruptedException {
            if (!end.await(30, TimeUnit.MINUTES)) {
                throw new IllegalStateException("The relay has delivered only " + settled);
            }
        }
    }
}
