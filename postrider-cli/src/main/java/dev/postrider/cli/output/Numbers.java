package dev.postrider.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them, the same in every locale. */
public final class Numbers {

    private Numbers() {}

    /** {@code 12,345}. */
    public static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** {@code 2.1 s}. */
    public static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    /** {@code 1,890 ms}. */
    public static String millis(Duration duration) {
        return grouped(duration.toMillis()) + " ms";
    }
}
