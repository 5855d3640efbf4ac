package dev.postrider.cli.demo;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A destination that takes everything, except what it was told to reject once or to fail for a while. Thread-safe. */
final class MoodyDestination extends ForwardingDestination {

    private static final int FAILURES = 5;

    private final Set<MessageId> rejected = ConcurrentHashMap.newKeySet();
    private final Map<MessageId, Integer> failing = new ConcurrentHashMap<>();

    MoodyDestination(Destination target) {
        super(target);
    }

    void rejectOnce(MessageId id) {
        rejected.add(id);
    }

    void failAWhile(MessageId id) {
        failing.put(id, FAILURES);
    }

    @Override
    protected CompletionStage<DeliveryResult> send(
            OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
        if (rejected.remove(message.id())) {
            return CompletableFuture.completedFuture(
                    DeliveryResult.reject("the schema wants a tax number; the demo takes it the next time"));
        }
        if (failing.computeIfPresent(message.id(), (id, left) -> left > 1 ? left - 1 : null) != null) {
            return CompletableFuture.completedFuture(DeliveryResult.retry("the bank answers 503, as the demo wants"));
        }
        return onward.get();
    }
}
