package dev.postrider.faults;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes bring about. */
final class Eventually {

    /** Only what never happens takes this long, however busy the machine is. */
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final Duration STEP = Duration.ofMillis(10);

    private Eventually() {}

    /** Returns as soon as the condition holds, and says how long that took. */
    static Duration holds(String what, Callable<Boolean> condition) {
        long start = System.nanoTime();
        while (!isTrue(condition)) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("Not within " + LIMIT + ": " + what);
            }
            pause(STEP);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static boolean isTrue(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Lets time pass that the scenario itself demands, such as the length of an outage. */
    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
