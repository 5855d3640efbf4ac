package dev.postrider.prove.run;

import java.time.Duration;
import java.util.function.IntSupplier;

/** Waits until nothing is left, or until what is left has not become less for long. Not thread-safe. */
final class Drain {

    static final Duration INTERVAL = Duration.ofMillis(250);

    private final IntSupplier undelivered;
    private final Duration patience;
    private int left = Integer.MAX_VALUE;
    private long lastProgress = System.nanoTime();

    Drain(IntSupplier undelivered, Duration patience) {
        this.undelivered = undelivered;
        this.patience = patience;
    }

    boolean isOver() {
        int now = undelivered.getAsInt();
        if (now < left) {
            lastProgress = System.nanoTime();
        }
        left = now;
        return left == 0 || System.nanoTime() - lastProgress > patience.toNanos();
    }

    int left() {
        return left;
    }
}
