package dev.postrider.cli.demo;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kills its relay in the middle of a batch, right after the broker took a message: delivered, but never settled.
 * Thread-safe.
 */
final class FatalDestination implements Destination {

    private final Destination target;
    private final Lifeline lifeline;
    private final int lastSend;
    private final Runnable onKill;
    private final AtomicInteger sends = new AtomicInteger();

    /** Calls {@code onKill} in the first successful send from this number on. */
    FatalDestination(Destination target, Lifeline lifeline, int lastSend, Runnable onKill) {
        this.target = target;
        this.lifeline = lifeline;
        this.lastSend = lastSend;
        this.onKill = onKill;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        CompletionStage<DeliveryResult> sending = target.send(message);
        if (sends.incrementAndGet() >= lastSend && isDelivered(sending)) {
            onKill.run();
        }
        lifeline.hangIfCut();
        return sending;
    }

    private static boolean isDelivered(CompletionStage<DeliveryResult> sending) {
        return sending.toCompletableFuture().getNow(null) instanceof DeliveryResult.Delivered;
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
