package dev.postrider.maintenance;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells a run to end after the statement at hand, and ends its pauses at once. Thread-safe. */
final class StopSignal {

    private final CountDownLatch stopped = new CountDownLatch(1);

    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0 || Thread.currentThread().isInterrupted();
    }

    /** Waits; false when the run shall end, also by an interrupt, whose flag stays set. */
    boolean pause(Duration duration) {
        try {
            return !stopped.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
