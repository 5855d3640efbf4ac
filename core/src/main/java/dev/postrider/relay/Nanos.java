package dev.postrider.relay;

import java.time.Duration;

/** Durations as nanoseconds of the monotonic clock. */
final class Nanos {

    /** About 73 years. Two sums of it and any moment still compare rightly, though the clock may start anywhere. */
    static final long MAX = Long.MAX_VALUE / 4;

    private static final Duration MAX_DURATION = Duration.ofNanos(MAX);

    private Nanos() {}

    /** The duration, cut to between zero and {@link #MAX}: "never" is written as thousands of years. */
    static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(MAX_DURATION) > 0 ? MAX : duration.toNanos();
    }
}
