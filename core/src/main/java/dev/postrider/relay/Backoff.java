package dev.postrider.relay;

import dev.postrider.internal.Readable;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next attempt. Thread-safe.
 *
 * <p>The ready-made ones add jitter and never exceed their cap, jitter included.
 */
@FunctionalInterface
public interface Backoff {

    /**
     * The time to wait.
     *
     * @param failures how many attempts have failed so far, at least 1
     */
    Duration delay(int failures);

    /** Always the same. */
    static Backoff constant(Duration delay) {
        Duration checked = requirePositive("delay", delay);
        return failures -> checked;
    }

    /** {@code base}, twice {@code base}, three times … up to {@code max}, each shortened or lengthened by up to a fifth. */
    static Backoff linear(Duration base, Duration max) {
        requirePositive("base", base);
        requireAtLeast(base, max);
        return failures -> jittered(multiplied(base, Math.max(failures, 1)), 0.2, max);
    }

    /** {@code base} doubled with each failure, up to {@code max}, each shortened or lengthened by up to a quarter. */
    static Backoff exponential(Duration base, Duration max) {
        return exponential(base, max, 2);
    }

    /**
     * {@code base} multiplied with each failure, up to {@code max}, each shortened or lengthened by up to a quarter.
     *
     * @param multiplier 1 to 100, such as 1.5
     */
    static Backoff exponential(Duration base, Duration max, double multiplier) {
        requirePositive("base", base);
        requireAtLeast(base, max);
        if (!(multiplier >= 1 && multiplier <= 100)) {
            throw new IllegalArgumentException("Back-off multiplier is " + multiplier + ", expected 1 to 100");
        }
        return failures -> jittered(multiplied(base, Math.pow(multiplier, Math.max(failures, 1) - 1.0)), 0.25, max);
    }

    /** A cast keeps what is too large for a number of nanoseconds at the largest one. */
    private static Duration multiplied(Duration base, double factor) {
        return Duration.ofNanos(Math.min((long) (Nanos.of(base) * factor), Nanos.MAX));
    }

    private static Duration jittered(Duration delay, double jitter, Duration max) {
        double factor = 1 + ThreadLocalRandom.current().nextDouble(-jitter, jitter);
        long cap = Nanos.of(max);
        long nanos = Math.min((long) (Math.min(Nanos.of(delay), cap) * factor), cap);
        return Duration.ofNanos(Math.max(nanos, 1));
    }

    private static Duration requirePositive(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    "Back-off " + option + " is " + Readable.time(value) + ", expected more than zero");
        }
        return value;
    }

    private static void requireAtLeast(Duration base, Duration max) {
        if (max.compareTo(base) < 0) {
            throw new IllegalArgumentException(
                    "Back-off max is " + Readable.time(max) + ", expected at least the base " + Readable.time(base));
        }
    }
}
