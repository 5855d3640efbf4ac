package dev.postrider.store.status;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A recording destination with one oddity. */
final class OddDestination implements Destination {

    private final RecordingDestination real;
    private final Duration deliveryTimeout;
    private final AtomicInteger crashesLeft;

    private OddDestination(RecordingDestination real, Duration deliveryTimeout, int crashes) {
        this.real = real;
        this.deliveryTimeout = deliveryTimeout;
        this.crashesLeft = new AtomicInteger(crashes);
    }

    /** Has little time to send. */
    static OddDestination impatient(RecordingDestination real) {
        return new OddDestination(real, Duration.ofMillis(50), 0);
    }

    /** Fails where nobody expects it, once, after the first send. */
    static OddDestination crashingOnce(RecordingDestination real) {
        return new OddDestination(real, real.deliveryTimeout(), 1);
    }

    @Override
    public String name() {
        if (!real.sent().isEmpty() && crashesLeft.getAndDecrement() > 0) {
            throw new IllegalStateException("no name");
        }
        return real.name();
    }

    @Override
    public Duration deliveryTimeout() {
        return deliveryTimeout;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return real.send(message);
    }
}
