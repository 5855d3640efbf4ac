package dev.postrider.relay;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/** Keeps the mistakes of a user's back-off away from the relay: whatever it answers, the wait is one that can be stored. */
final class CheckedBackoff implements Backoff {

    /** Used when the back-off gives no valid answer. */
    private static final Duration FALLBACK = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofNanos(Nanos.MAX);

    private final LogThrottle log = new LogThrottle(LoggerFactory.getLogger(CheckedBackoff.class));
    private final Backoff backoff;

    CheckedBackoff(Backoff backoff) {
        this.backoff = backoff;
    }

    @Override
    public Duration delay(int failures) {
        Duration delay = askSafely(failures);
        if (delay == null || delay.isNegative()) {
            log.warn(
                    "answer",
                    "The back-off answered {} after {} failures; waiting for {}",
                    delay,
                    failures,
                    Readable.time(FALLBACK));
            return FALLBACK;
        }
        return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }

    private Duration askSafely(int failures) {
        try {
            return backoff.delay(failures);
        } catch (RuntimeException broken) {
            log.warn(
                    "failure",
                    broken,
                    "The back-off failed after {} failures; waiting for {}",
                    failures,
                    Readable.time(FALLBACK));
            return FALLBACK;
        }
    }
}
