package dev.postrider.spi;

import dev.postrider.message.OutboxMessage;

/**
 * Lets a user overrule how a destination judged a failure, for example to retry what it would reject.
 *
 * <p>Must be fast and thread-safe. An exception thrown here is logged, and the destination's own judgement stands.
 */
@FunctionalInterface
public interface FailureClassifier {

    DeliveryResult.Failed classify(OutboxMessage message, DeliveryResult.Failed failure);

    /** Leaves every judgement as it is. */
    static FailureClassifier asReported() {
        return (message, failure) -> failure;
    }
}
