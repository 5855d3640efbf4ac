package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A destination with faults: the first attempt of about one event in a hundred fails, and poison is rejected. Thread-safe. */
final class FlakyDestination extends ForwardingDestination {

    private static final int ONE_IN = 100;

    private final Set<MessageId> failedOnce = ConcurrentHashMap.newKeySet();

    FlakyDestination(Destination target) {
        super(target);
    }

    @Override
    protected CompletionStage<DeliveryResult> send(
            OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
        if (message.headers().get(OrderService.POISON).isPresent()) {
            return CompletableFuture.completedFuture(DeliveryResult.reject("poison, put there by the demo"));
        }
        if (isUnlucky(message.id()) && failedOnce.add(message.id())) {
            return CompletableFuture.completedFuture(DeliveryResult.retry("first attempt, failed by the demo"));
        }
        return onward.get();
    }

    private static boolean isUnlucky(MessageId id) {
        return Math.floorMod(id.leastSignificantBits(), ONE_IN) == 0;
    }

    int failedCount() {
        return failedOnce.size();
    }
}
