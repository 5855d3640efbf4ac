package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A destination with faults: about one message in a hundred fails once, and the first of one key always. Thread-safe. */
final class FaultyDestination extends ForwardingDestination {

    private static final int ONE_IN = 100;

    private final Optional<String> poisonKey;
    private final AtomicReference<MessageId> poison = new AtomicReference<>();
    private final Set<MessageId> failedOnce = ConcurrentHashMap.newKeySet();

    FaultyDestination(Destination target, String poisonKey) {
        super(target);
        this.poisonKey = Optional.of(poisonKey);
    }

    @Override
    protected CompletionStage<DeliveryResult> send(
            OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
        if (isPoison(message)) {
            return CompletableFuture.completedFuture(DeliveryResult.reject("poison, put there by the demo"));
        }
        if (isUnlucky(message.id()) && failedOnce.add(message.id())) {
            return CompletableFuture.completedFuture(DeliveryResult.retry("first attempt, failed by the demo"));
        }
        return onward.get();
    }

    private boolean isPoison(OutboxMessage message) {
        if (!message.key().equals(poisonKey)) {
            return false;
        }
        poison.compareAndSet(null, message.id());
        return message.id().equals(poison.get());
    }

    private static boolean isUnlucky(MessageId id) {
        return Math.floorMod(id.leastSignificantBits(), ONE_IN) == 0;
    }

    int failedOnce() {
        return failedOnce.size();
    }
}
