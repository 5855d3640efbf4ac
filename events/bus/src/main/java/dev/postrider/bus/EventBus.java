package dev.postrider.bus;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Receiver;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Publishing and subscribing behind one port, for code that should not know which broker is used. Thread-safe.
 */
public interface EventBus extends EventPublisher {

    /**
     * A bus that only writes: every {@link #publish} is a transaction of its own on the outbox, and {@link #publishAll} is one
     * transaction for all. To share a transaction with data use {@link EventPublishers#in}.
     */
    static EventBus throughOutbox(EventPublishers publishers, Outbox outbox, DataSource dataSource) {
        Objects.requireNonNull(publishers, "publishers");
        Objects.requireNonNull(outbox, "outbox");
        Objects.requireNonNull(dataSource, "dataSource");
        return new EventBus() {
            @Override
            public List<OutboxMessage> publishAll(List<Publication> publications) {
                return outbox.inTransactionReturning(
                        dataSource, transaction -> publishers.in(transaction).publishAll(publications));
            }

            @Override
            public Running subscribe(String subscriber, EventHandler<OutboxMessage> handler, Set<String> types) {
                throw new UnsupportedOperationException(
                        "This bus only writes to the outbox; events arrive at the destination of the relay. Subscribe "
                                + subscriber + " there, by Subscriber.builder(...) with that broker's receiver");
            }
        };
    }

    /**
     * A bus over a broker. A broker knows no transaction for a list of events: some of them may arrive when sending fails.
     *
     * @param receivers makes a receiver for a subscriber's name
     */
    static EventBus over(
            EventPublishers publishers,
            Destination destination,
            Function<String, ? extends Receiver> receivers,
            CodecRegistry codecs) {
        Objects.requireNonNull(receivers, "receivers");
        Objects.requireNonNull(codecs, "codecs");
        EventPublisher publisher = publishers.to(destination);
        return new EventBus() {
            @Override
            public List<OutboxMessage> publishAll(List<Publication> publications) {
                return publisher.publishAll(publications);
            }

            @Override
            public Running subscribe(String subscriber, EventHandler<OutboxMessage> handler, Set<String> types) {
                return Subscriber.builder(subscriber, receivers.apply(subscriber), codecs)
                        .build()
                        .startFor(types, handler);
            }
        };
    }

    /**
     * Calls the handler for every event of these types, as {@link Subscriber} does, until the subscription is closed.
     *
     * @param subscriber who subscribes; subscriptions of one name share the events between them
     * @param types the names of the event types; empty for all
     * @throws dev.postrider.spi.ReceiverException if the broker refuses
     * @throws UnsupportedOperationException on a bus that only writes, with where to subscribe instead
     */
    Running subscribe(String subscriber, EventHandler<OutboxMessage> handler, Set<String> types);

    /** A running subscription. Thread-safe. */
    interface Running extends AutoCloseable {

        /** Ends when nothing arrives any more: exceptionally, with the reason, unless it was closed. Subscribe again then. */
        CompletionStage<Void> termination();

        /** Lets handlers end and stops. */
        @Override
        void close();
    }
}
