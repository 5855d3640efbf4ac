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
    default <T> OutboxMessage publish(EventType<T> type, T data, PublishOptions options) {
        return publishAll(List.of(new Publication(type, data, options))).get(0);
    }

    /**
     * Publishes several, in order, each inside of its own interceptors. What was published before a failure stays so: a transaction should
     * be rolled back, and a destination may have taken some. A publisher without interceptors encodes all before it sends the first,
     * writes them to an outbox in few statements, and sends to a destination without waiting for each acknowledgement, except within a key.
     *
     * @throws PublishFailedException for the first that a destination did not take: all before it in the list are acknowledged, of those
     *     behind it some may be
     */
    List<OutboxMessage> publishAll(List<Publication> publications);
}
