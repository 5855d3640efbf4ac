package dev.postrider.bench.store;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** Acknowledges at once, and counts. Thread-safe. */
public final class CountingDestination implements Destination {

    private static final CompletionStage<DeliveryResult> DELIVERED =
            CompletableFuture.completedFuture(DeliveryResult.DELIVERED);

    private final LongAdder count = new LongAdder();

    @Override
    public String name() {
        return "nowhere";
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        count.increment();
        return DELIVERED;
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
    }

    public long count() {
        return count.sum();
    }
}
