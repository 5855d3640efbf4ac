package dev.postrider.bus;

import dev.postrider.spi.Delivery;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Receives nothing, and fails when it is told to. */
final class StubReceiver implements Receiver {

    final CompletableFuture<Void> termination = new CompletableFuture<>();
    ReceiverException refusal;
    boolean isClosed;

    @Override
    public String name() {
        return "stub";
    }

    @Override
    public int prefetch() {
        return 1;
    }

    @Override
    public Ordering ordering() {
        return Ordering.PER_KEY;
    }

    @Override
    public void start(Subscription subscription, Consumer<Delivery> deliveries) {
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public void stop() {}

    @Override
    public void close() {
        isClosed = true;
    }

    @Override
    public CompletionStage<Void> termination() {
        return termination;
    }
}
