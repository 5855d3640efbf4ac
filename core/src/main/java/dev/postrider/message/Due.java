package dev.postrider.message;

import dev.postrider.internal.Readable;
import java.time.Duration;
import java.time.Instant;

/**
 * When a message may be delivered.
 *
 * <p>Both later forms are judged by the database's clock. A delayed message is ordered by its due time and never holds
 * back its key.
 */
public sealed interface Due {

    /** The latest moment that every supported database can store. */
    Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    /** The longest delay. */
    Duration LONGEST = Duration.ofDays(36_500);

    /** Due as soon as the message's transaction has committed. */
    Due NOW = new Now();

    static Due at(Instant instant) {
        return new At(instant);
    }

    static Due after(Duration delay) {
        return new After(delay);
    }

    /** Not delayed. */
    record Now() implements Due {}

    /** Not before this instant. */
    record At(Instant instant) implements Due {
        public At {
            if (instant == null) {
                throw new InvalidMessageException("deliverAt", "is null");
            }
            if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LATEST)) {
                throw new InvalidMessageException(
                        "deliverAt", "is " + instant + ", expected " + Instant.EPOCH + " to " + LATEST);
            }
        }
    }

    /** Not before this much time has passed since the insert. */
    record After(Duration delay) implements Due {
        public After {
            if (delay == null) {
                throw new InvalidMessageException("deliverAfter", "is null");
            }
            if (delay.isNegative() || delay.isZero() || delay.compareTo(LONGEST) > 0) {
                throw new InvalidMessageException(
                        "deliverAfter",
                        "is " + Readable.time(delay) + ", expected more than zero and at most "
                                + Readable.time(LONGEST));
            }
        }
    }
}
