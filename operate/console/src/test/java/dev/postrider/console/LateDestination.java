package dev.postrider.console;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A destination that ends no send before it is told to.
 *
 * @param holdsWorker whether it also keeps the thread that calls it, which no destination may do
 */
record LateDestination(String name, CompletableFuture<DeliveryResult> end, boolean holdsWorker) implements Destination {

    LateDestination(String name, boolean holdsWorker) {
        this(name, new CompletableFuture<>(), holdsWorker);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        if (holdsWorker) {
            end.join();
        }
        return end;
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(5);
    }

    void deliver() {
        end.complete(DeliveryResult.DELIVERED);
    }
}
