package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import java.util.Optional;

/** How a message that failed comes to its next attempt. */
interface RetryWay {

    /** What remains of the order of a key when one of its messages is retried. */
    Ordering ordering();

    /** Counts from 1, by what the broker says of a message that just came out of the queue. */
    int attemptOf(TakenMessage taken);

    /** How often a message is handed over before it is parked. */
    int maxAttempts();

    /** Why this message cannot come to another attempt, if so; it is parked then. */
    default Optional<String> obstacle(RabbitmqDelivery delivery) {
        return Optional.empty();
    }

    /** Has settled the message when this returns, or will do so by itself. */
    void retry(RabbitmqDelivery delivery, UnsettledDeliveries unsettled, Runnable whenReady);
}
