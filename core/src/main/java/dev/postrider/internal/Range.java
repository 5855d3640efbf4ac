package dev.postrider.internal;

import java.time.Duration;

/** Refuses option values outside their range, naming option, value and range. */
public final class Range {

    private Range() {}

    public static int of(String option, int value, int min, int max) {
        return (int) of(option, (long) value, min, max);
    }

    public static long of(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw outside(option, value, min, max);
        }
        return value;
    }

    public static Duration of(String option, Duration value, Duration min, Duration max) {
        if (value == null) {
            throw new IllegalArgumentException(option + " is null");
        }
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw outside(option, Readable.time(value), Readable.time(min), Readable.time(max));
        }
        return value;
    }

    private static IllegalArgumentException outside(String option, Object value, Object min, Object max) {
        return new IllegalArgumentException("%s is %s, expected %s to %s".formatted(option, value, min, max));
    }
}
