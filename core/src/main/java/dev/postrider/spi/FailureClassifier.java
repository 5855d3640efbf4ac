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

    /**
     * Whether what the destination {@linkplain DeliveryResult.Reject rejects} is always given up. Only then may a relay send further messages
     * of a key before it knows that one was rejected; otherwise it sends them one by one.
     */
    default boolean keepsRejections() {
        return false;
    }

    /** Leaves every judgement as it is. */
    static FailureClassifier asReported() {
        return new FailureClassifier() {
            @Override
            public DeliveryResult.Failed classify(OutboxMessage message, DeliveryResult.Failed failure) {
                return failure;
            }

            @Override
            public boolean keepsRejections() {
                return true;
            }
        };
    }
}
