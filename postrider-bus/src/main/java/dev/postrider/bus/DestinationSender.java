package dev.postrider.bus;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends straight to a destination and waits for its acknowledgement. */
final class DestinationSender implements EventSender {

    /** What a busy machine may add to the destination's own time-out. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Destination destination;

    DestinationSender(Destination destination) {
        this.destination = destination;
    }

    /** One after the other, since events of one key may not be in flight at once. */
    @Override
    public void send(List<OutboxMessage> messages) {
        messages.forEach(this::send);
    }

    private void send(OutboxMessage message) {
        DeliveryResult result = await(message.id(), destination.send(message).toCompletableFuture());
        if (result instanceof DeliveryResult.Failed failed) {
            throw new PublishFailedException(
                    message.id(),
                    destination.name() + " said: " + failed.reason(),
                    !(failed instanceof DeliveryResult.Reject),
                    failed.cause().orElse(null));
        }
    }

    private DeliveryResult await(MessageId id, CompletableFuture<DeliveryResult> sending) {
        Duration limit = destination.deliveryTimeout().plus(SLACK);
        try {
            return sending.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            return DeliveryResult.retry(String.valueOf(failed.getCause()), failed.getCause());
        } catch (TimeoutException late) {
            throw new PublishFailedException(
                    id, destination.name() + " has not answered within " + limit + "; it may still arrive", true, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PublishFailedException(
                    id,
                    "interrupted while waiting for " + destination.name() + "; it may still arrive",
                    true,
                    interrupted);
        }
    }
}
