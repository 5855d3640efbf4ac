package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A recording destination with one oddity. */
final class OddDestination implements Destination {

    private final RecordingDestination real;
    private final Duration deliveryTimeout;
    private volatile boolean isBroken;

    private OddDestination(RecordingDestination real, Duration deliveryTimeout, boolean isBroken) {
        this.real = real;
        this.deliveryTimeout = deliveryTimeout;
        this.isBroken = isBroken;
    }

    /** Has little time to send. */
    static OddDestination impatient(RecordingDestination real) {
        return new OddDestination(real, Duration.ofMillis(50), false);
    }

    /** Fails where nobody expects it, after the first send and until it is repaired. */
    static OddDestination broken(RecordingDestination real) {
        return new OddDestination(real, real.deliveryTimeout(), true);
    }

    void mend() {
        isBroken = false;
    }

    @Override
    public String name() {
        if (isBroken && !real.sent().isEmpty()) {
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
