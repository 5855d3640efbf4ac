package dev.postrider.cli.demo;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Kills its relay in the middle of a batch, right after the broker took a message: delivered, but never settled.
 * Thread-safe.
 */
final class FatalDestination extends ForwardingDestination {

    private final Lifeline lifeline;
    private final int lastSend;
    private final Runnable onKill;
    private final AtomicInteger sends = new AtomicInteger();

    /** Calls {@code onKill} in the first successful send from this number on. */
    FatalDestination(Destination target, Lifeline lifeline, int lastSend, Runnable onKill) {
        super(target);
        this.lifeline = lifeline;
        this.lastSend = lastSend;
        this.onKill = onKill;
    }

    @Override
    protected CompletionStage<DeliveryResult> send(
            OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
        CompletionStage<DeliveryResult> sending = onward.get();
        if (sends.incrementAndGet() >= lastSend && isDelivered(sending)) {
            onKill.run();
        }
        lifeline.hangIfCut();
        return sending;
    }

    private static boolean isDelivered(CompletionStage<DeliveryResult> sending) {
        return sending.toCompletableFuture().getNow(null) instanceof DeliveryResult.Delivered;
    }
}
