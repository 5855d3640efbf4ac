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

    /**
     * The place that this message goes to is missing, forbidden or full. See {@link Unavailable#concerningTopic} for a place that all
     * messages of its topic go to.
     *
     * @param place a topic, exchange, stream or subject of the broker, in its words
     */
    static Unavailable unavailable(String place, String reason) {
        return new Unavailable(place, false, reason, Optional.empty());
    }

    /** The same with a cause. */
    static Unavailable unavailable(String place, String reason, Throwable cause) {
        return new Unavailable(place, false, reason, Optional.of(cause));
    }

    /** See {@link Abandoned}. */
    static Failed abandoned(String reason) {
        return new Abandoned(reason, Optional.empty());
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

    /**
     * The destination can be reached, but a place of it cannot take messages: a topic, exchange or stream that is missing, for which a
     * right is missing, or that is full. The message waits for it, and its key behind it; no attempt is counted.
     *
     * @param place the place in the broker's words
     * @param concernsTopic whether all messages of the message's topic go there: they are not tried meanwhile, but for a few now and then
     */
    record Unavailable(String place, boolean concernsTopic, String reason, Optional<Throwable> cause)
            implements Failed {
        public Unavailable {
            Objects.requireNonNull(place, "place");
            requireBoth(reason, cause);
        }

        /** The same, concerning all messages of the topic or not. */
        public Unavailable concerningTopic(boolean all) {
            return new Unavailable(place, all, reason, cause);
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

    /**
     * It was not delivered because an earlier message of its {@link KeyRun} was not, or because the connection that it shared with
     * others was given up. Says nothing about the message or the destination: no attempt is counted, and it is sent again.
     */
    record Abandoned(String reason, Optional<Throwable> cause) implements Failed {
        public Abandoned {
            requireBoth(reason, cause);
        }
    }

    private static void requireBoth(String reason, Optional<Throwable> cause) {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(cause, "cause");
    }
}
