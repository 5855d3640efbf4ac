package dev.postrider.destination.memory;

import dev.postrider.internal.Range;
import java.time.Duration;

/**
 * The options of a {@link MemoryReceiver}.
 *
 * @param prefetch how many messages may be unsettled at once, 1 to 1,000; default 16. With 1, one at a time
 * @param retryPause how long a message waits before its next attempt, up to a day; default 100 ms
 * @param maxAttempts how often a message is handed over before it is parked, 1 to 1,000,000; default 10
 */
public record MemoryReceiverOptions(int prefetch, Duration retryPause, int maxAttempts) {

    public MemoryReceiverOptions {
        Range.of("prefetch", prefetch, 1, 1_000);
        Range.of("retryPause", retryPause, Duration.ZERO, Duration.ofDays(1));
        Range.of("maxAttempts", maxAttempts, 1, 1_000_000);
    }

    public static MemoryReceiverOptions defaults() {
        return new MemoryReceiverOptions(16, Duration.ofMillis(100), 10);
    }

    public MemoryReceiverOptions withPrefetch(int value) {
        return new MemoryReceiverOptions(value, retryPause, maxAttempts);
    }

    public MemoryReceiverOptions withRetryPause(Duration value) {
        return new MemoryReceiverOptions(prefetch, value, maxAttempts);
    }

    public MemoryReceiverOptions withMaxAttempts(int value) {
        return new MemoryReceiverOptions(prefetch, retryPause, value);
    }
}
