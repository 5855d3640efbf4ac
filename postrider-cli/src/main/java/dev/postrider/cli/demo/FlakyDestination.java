package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A destination with faults: the first attempt of about one event in a hundred fails, and poison is rejected. Thread-safe. */
final class FlakyDestination implements Destination {

    private static final int ONE_IN = 100;

    private final Destination target;
    private final Set<MessageId> failedOnce = ConcurrentHashMap.newKeySet();

    FlakyDestination(Destination target) {
        this.target = target;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        if (message.headers().get(OrderService.POISON).isPresent()) {
            return CompletableFuture.completedFuture(DeliveryResult.reject("poison, put there by the demo"));
        }
        if (isUnlucky(message.id()) && failedOnce.add(message.id())) {
            return CompletableFuture.completedFuture(DeliveryResult.retry("first attempt, failed by the demo"));
        }
        return target.send(message);
    }

    private static boolean isUnlucky(MessageId id) {
        return Math.floorMod(id.leastSignificantBits(), ONE_IN) == 0;
    }

    int failedCount() {
        return failedOnce.size();
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public Duration deliveryTimeout() {
        return target.deliveryTimeout();
    }

    @Override
    public Health healthCheck() {
        return target.healthCheck();
    }
}
