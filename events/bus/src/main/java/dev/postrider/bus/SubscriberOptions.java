package dev.postrider.bus;

import dev.postrider.internal.Range;
import java.time.Duration;

/**
 * The options of a {@link Subscriber}.
 *
 * @param threads how many handlers run at once, 1 to 1,000; default 8. More than the receiver's prefetch are never used
 * @param drainTimeout how long {@link Subscriber#close} waits for running handlers before it interrupts them, up to an hour; default 30
 *     seconds
 */
public record SubscriberOptions(int threads, Duration drainTimeout) {

    public SubscriberOptions {
        Range.of("threads", threads, 1, 1_000);
        Range.of("drainTimeout", drainTimeout, Duration.ZERO, Duration.ofHours(1));
    }

    public static SubscriberOptions defaults() {
        return new SubscriberOptions(8, Duration.ofSeconds(30));
    }

    public SubscriberOptions withThreads(int value) {
        return new SubscriberOptions(value, drainTimeout);
    }

    public SubscriberOptions withDrainTimeout(Duration value) {
        return new SubscriberOptions(threads, value);
    }
}
