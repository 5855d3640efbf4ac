package dev.postrider.springtests;

import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Makes receivers; the first does not start, and any of them may be ended. */
final class FailingReceivers {

    private final MemoryDestination destination;
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private volatile CompletableFuture<Void> current = new CompletableFuture<>();

    FailingReceivers(MemoryDestination destination) {
        this.destination = destination;
    }

    int started() {
        return started.get();
    }

    void failCurrent(ReceiverException failure) {
        current.completeExceptionally(failure);
    }

    Receiver next(String name) {
        return new FailingReceiver(destination.receiver(name), made.incrementAndGet() == 1);
    }

    private final class FailingReceiver implements Receiver {

        private final Receiver receiver;
        private final boolean isRefused;
        private final CompletableFuture<Void> termination = new CompletableFuture<>();

        FailingReceiver(Receiver receiver, boolean isRefused) {
            this.receiver = receiver;
            this.isRefused = isRefused;
        }

        @Override
        public String name() {
            return receiver.name();
        }

        @Override
        public int prefetch() {
            return receiver.prefetch();
        }

        @Override
        public Ordering ordering() {
            return receiver.ordering();
        }

        @Override
        public void start(Subscription subscription, Consumer<Delivery> deliveries) {
            if (isRefused) {
                throw new ReceiverException("away", null);
            }
            receiver.start(subscription, deliveries);
            current = termination;
            started.incrementAndGet();
        }

        @Override
        public void stop() {
            receiver.stop();
        }

        @Override
        public void close() {
            receiver.close();
            termination.complete(null);
        }

        @Override
        public CompletionStage<Void> termination() {
            return termination;
        }
    }
}
