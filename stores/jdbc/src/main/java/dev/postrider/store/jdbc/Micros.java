package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in the range and the precision that every database has: microseconds, up to the year 9999. */
@Internal
public final class Micros {

    private static final Duration LONGEST = Duration.ofDays(365_000);
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private Micros() {}

    /** The duration in microseconds, rounded up, at most a thousand years either way. */
    public static long of(Duration duration) {
        Duration bounded = min(max(duration, LONGEST.negated()), LONGEST);
        Duration micros = bounded.truncatedTo(ChronoUnit.MICROS);
        return micros.getSeconds() * 1_000_000 + micros.getNano() / 1_000 + (micros.compareTo(bounded) < 0 ? 1 : 0);
    }

    public static Duration toDuration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    /** The instant, moved into the range that every database can store. */
    public static Instant bounded(Instant instant) {
        if (instant.isBefore(EARLIEST)) {
            return EARLIEST;
        }
        return instant.isAfter(LATEST) ? LATEST : instant;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
