package dev.postrider.prove.run;

import java.time.Duration;
import java.util.function.IntSupplier;

/** Waits until nothing is left, or until what is left has not become less for long. Not thread-safe. */
final class Drain {

    static final Duration INTERVAL = Duration.ofMillis(250);

    /** Several leases, the longest pause that a relay makes after failures, and the start of a relay on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final IntSupplier undelivered;
    private int left = Integer.MAX_VALUE;
    private long lastProgress = System.nanoTime();

    Drain(IntSupplier undelivered) {
        this.undelivered = undelivered;
    }

    boolean isOver() {
        int now = undelivered.getAsInt();
        if (now < left) {
            lastProgress = System.nanoTime();
        }
        left = now;
        return left == 0 || System.nanoTime() - lastProgress > PATIENCE.toNanos();
    }

    int left() {
        return left;
    }
}
