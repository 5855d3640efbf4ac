package dev.postrider.internal;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/** Times, sizes and counts as people read them, the same in every locale: {@code 4 ms}, {@code 1.5 MB}, {@code 2 messages}. */
public final class Readable {

    private static final long KIB = 1L << 10;
    private static final String[] BINARY = {"KiB", "MiB", "GiB"};
    private static final String[] DECIMAL = {"kB", "MB", "GB"};

    private Readable() {}

    /** {@code 0.4 ms}, {@code 350 ms}, {@code 1.5 s}, {@code 5 m 12 s}, {@code 3 h 20 m}, {@code 12 d 4 h}. */
    public static String time(Duration time) {
        if (time.isNegative()) {
            // The least of all has no counterpart.
            boolean isLeast = time.getSeconds() == Long.MIN_VALUE;
            return "-" + time(isLeast ? Duration.ofSeconds(Long.MAX_VALUE) : time.negated());
        }
        long seconds = time.toSeconds();
        if (seconds < 60) {
            return belowOneMinute(time);
        }
        if (seconds < 3_600) {
            return parts(time.toMinutes(), " m", time.toSecondsPart(), " s");
        }
        return seconds < 86_400
                ? parts(time.toHours(), " h", time.toMinutesPart(), " m")
                : parts(time.toDays(), " d", time.toHoursPart(), " h");
    }

    private static String belowOneMinute(Duration time) {
        BigDecimal millis = BigDecimal.valueOf(time.toNanos(), 6);
        if (time.toMillis() < 1) {
            return decimals(millis, 1) + " ms";
        }
        if (time.toMillis() < 1_000) {
            return time.toMillis() + " ms";
        }
        // What people set is shown in full, what was measured is rounded.
        boolean isExact = time.toNanosPart() % 1_000_000 == 0;
        return decimals(millis.movePointLeft(3), isExact || time.toSeconds() < 10 ? 3 : 1) + " s";
    }

    private static String parts(long large, String largeUnit, long small, String smallUnit) {
        return grouped(large) + largeUnit + (small == 0 ? "" : " " + small + smallUnit);
    }

    /** {@code 512 bytes}; {@code 16 MiB} where that is exact; else {@code 1.5 MB}. */
    public static String bytes(long bytes) {
        if (bytes < KIB) {
            return count(bytes, "byte");
        }
        if (bytes % KIB == 0) {
            return exact(bytes);
        }
        return bytes < 10_000 ? count(bytes, "byte") : rounded(bytes);
    }

    private static String exact(long bytes) {
        long units = bytes / KIB;
        int unit = 0;
        while (unit < BINARY.length - 1 && units % KIB == 0) {
            units /= KIB;
            unit++;
        }
        return grouped(units) + " " + BINARY[unit];
    }

    private static String rounded(long bytes) {
        BigDecimal units = BigDecimal.valueOf(bytes, 3);
        int unit = 0;
        while (unit < DECIMAL.length - 1 && units.compareTo(BigDecimal.valueOf(1_000)) >= 0) {
            units = units.movePointLeft(3);
            unit++;
        }
        return decimals(units, 1) + " " + DECIMAL[unit];
    }

    /** {@code 1 message}, {@code 12,345 messages}: a noun whose plural ends in s. */
    public static String count(long count, String noun) {
        return grouped(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** {@code 12,345}. */
    public static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String decimals(BigDecimal value, int most) {
        BigDecimal rounded = value.setScale(most, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0).toPlainString() : rounded.toPlainString();
    }
}
