package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.internal.Received;
import dev.postrider.spi.internal.Settlement;

/** What becomes of the messages of a queue; the two kinds of receivers differ in this. */
interface QueueSettlement extends Settlement<TakenMessage>, AutoCloseable {

    /** What remains of the order of a key when one of its messages is retried. */
    Ordering ordering();

    /** By what the broker says of a message that just came out of the queue. */
    int attemptsBefore(TakenMessage taken);

    @Override
    default void acknowledge(Received<TakenMessage> received) {
        received.source().acknowledge();
    }

    @Override
    default boolean isLost(TakenMessage taken) {
        return taken.session().isForgotten();
    }

    @Override
    default void close() {}
}
