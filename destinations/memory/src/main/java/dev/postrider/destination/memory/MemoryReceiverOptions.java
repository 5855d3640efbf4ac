package dev.postrider.destination.memory;

import dev.postrider.internal.Range;
import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@link MemoryReceiver}.
 *
 * @param prefetch how many messages may be unsettled at once, 1 to 1,000; default 16. With 1, one at a time
 * @param retryPause how long a message waits before its next attempt, up to a day; default 100 ms
 * @param maxAttempts how often a message is handed over before it is parked, 1 to 1,000,000; default 10
 * @param listener told of what the receiver does; default none
 */
public record MemoryReceiverOptions(int prefetch, Duration retryPause, int maxAttempts, ReceiverListener listener) {

    public MemoryReceiverOptions {
        Range.of("prefetch", prefetch, 1, 1_000);
        Range.of("retryPause", retryPause, Duration.ZERO, Duration.ofDays(1));
        Range.of("maxAttempts", maxAttempts, 1, 1_000_000);
        Objects.requireNonNull(listener, "listener");
    }

    public static MemoryReceiverOptions defaults() {
        return new MemoryReceiverOptions(16, Duration.ofMillis(100), 10, ReceiverListener.NONE);
    }

    public MemoryReceiverOptions withPrefetch(int value) {
        return new MemoryReceiverOptions(value, retryPause, maxAttempts, listener);
    }

    public MemoryReceiverOptions withRetryPause(Duration value) {
        return new MemoryReceiverOptions(prefetch, value, maxAttempts, listener);
    }

    public MemoryReceiverOptions withMaxAttempts(int value) {
        return new MemoryReceiverOptions(prefetch, retryPause, value, listener);
    }

    public MemoryReceiverOptions withListener(ReceiverListener value) {
        return new MemoryReceiverOptions(prefetch, retryPause, maxAttempts, value);
    }
}
