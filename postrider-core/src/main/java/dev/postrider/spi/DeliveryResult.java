package dev.postrider.spi;

import java.util.Objects;
import java.util.Optional;

/** How the sending of one message ended. */
public sealed interface DeliveryResult {

    /** Acknowledged durably. */
    DeliveryResult DELIVERED = new Delivered();

    static Failed outage(String reason) {
        return new Outage(reason, Optional.empty());
    }

    static Failed outage(String reason, Throwable cause) {
        return new Outage(reason, Optional.of(cause));
    }

    static Failed retry(String reason) {
        return new Retry(reason, Optional.empty());
    }

    static Failed retry(String reason, Throwable cause) {
        return new Retry(reason, Optional.of(cause));
    }

    static Failed reject(String reason) {
        return new Reject(reason, Optional.empty());
    }

    static Failed reject(String reason, Throwable cause) {
        return new Reject(reason, Optional.of(cause));
    }

    /** The broker has it, durably. */
    record Delivered() implements DeliveryResult {}

    /** Anything but delivered. */
    sealed interface Failed extends DeliveryResult {

        /** One sentence for a person, without payload or secret. */
        String reason();

        Optional<Throwable> cause();
    }

    /** The destination as a whole cannot be reached: it is paused with back-off, and no attempt is counted. */
    record Outage(String reason, Optional<Throwable> cause) implements Failed {
        public Outage {
            requireBoth(reason, cause);
        }
    }

    /** This message failed and may succeed later: an attempt is counted, and its key waits. */
    record Retry(String reason, Optional<Throwable> cause) implements Failed {
        public Retry {
            requireBoth(reason, cause);
        }
    }

    /** This message can never be delivered: it becomes a dead letter at once. */
    record Reject(String reason, Optional<Throwable> cause) implements Failed {
        public Reject {
            requireBoth(reason, cause);
        }
    }

    private static void requireBoth(String reason, Optional<Throwable> cause) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(cause, "cause");
    }
}
