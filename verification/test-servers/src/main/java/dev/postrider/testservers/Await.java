package dev.postrider.testservers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for something that only another process can bring about. */
final class Await {
    private static final Duration STEP = Duration.ofMillis(20);

    private Await() {}

    /** Returns true as soon as the condition holds, false when the time is over. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(STEP.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted while waiting for a server", interrupted);
        }
    }
}
