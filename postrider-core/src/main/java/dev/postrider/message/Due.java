package dev.postrider.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When a message may be delivered.
 *
 * <p>Both later forms are judged by the database's clock. A delayed message is ordered by its due time and never holds
 * back its key.
 */
public sealed interface Due {

    /** As soon as its transaction has committed. */
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
            Objects.requireNonNull(instant, "deliverAt");
        }
    }

    /** Not before this much time has passed since the insert. */
    record After(Duration delay) implements Due {
        public After {
            Objects.requireNonNull(delay, "deliverAfter");
            if (delay.isNegative() || delay.isZero()) {
                throw new InvalidMessageException("deliverAfter", "is " + delay + ", expected a positive duration");
            }
        }
    }
}
