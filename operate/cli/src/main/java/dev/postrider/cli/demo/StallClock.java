package dev.postrider.cli.demo;

import java.time.Duration;

/** Tells when a number has not changed for too long. */
final class StallClock {

    private final Duration limit;
    private long value;
    private long changedAt = System.nanoTime();

    StallClock(Duration limit) {
        this.limit = limit;
    }

    boolean isStalled(long present) {
        if (present != value) {
            value = present;
            changedAt = System.nanoTime();
        }
        return System.nanoTime() - changedAt > limit.toNanos();
    }
}
