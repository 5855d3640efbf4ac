package dev.postrider.bus;

import dev.postrider.message.OutboxMessage;
import java.util.List;

/**
 * Publishes typed events to one place: a destination, or the outbox within a transaction. Made by {@link EventPublishers}.
 *
 * <p>When a call returns, the destination has acknowledged the event, or the event is part of the transaction. Thread-safe if that place
 * is: a publisher bound to a transaction belongs to the transaction's thread.
 */
public interface EventPublisher {

    /** Publishes with the publisher's own options. */
    default <T> OutboxMessage publish(EventType<T> type, T data) {
        return publish(type, data, PublishOptions.none());
    }

    /**
     * Publishes one event.
     *
     * @param options they win over the publisher's defaults
     * @return the message that was sent, with its id
     * @throws PublishFailedException if the destination did not take it
     * @throws dev.postrider.spi.CodecException if no codec can write the data
     * @throws dev.postrider.message.InvalidMessageException if an option makes no valid CloudEvent
     */
    <T> OutboxMessage publish(EventType<T> type, T data, PublishOptions options);

    /**
     * Publishes several, in order. All are encoded before the first is sent, each inside of its interceptors; sending them together is
     * outside of any interceptor. Through an outbox all or none are written; a destination may have taken some when it fails.
     */
    List<OutboxMessage> publishAll(List<Publication> publications);
}
