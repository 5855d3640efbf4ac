package dev.postrider.spring;

import dev.postrider.Outbox;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The outbox in Spring's transactions: what it writes is part of the transaction that is active on the calling thread, and is sent if and
 * only if that commits.
 *
 * <p>Guarantees: it never opens or ends a transaction. Without one on its data source, in a read-only one, and after the end of one it
 * refuses with a {@link dev.postrider.NoTransactionException} that says what to do, and writes nothing. A persistence context of JPA is
 * flushed before the insert, so that the rows of your entities are locked first, and the order of a key is right. The relays of this process
 * are woken once after the commit. Thread-safe.
 *
 * <pre>{@code
 * @Transactional
 * void place(Order order) {
 *     orders.save(order);
 *     outbox.enqueue(outbox.message("orders").key(order.id()).type("OrderPlaced").json(json).build());
 * }
 * }</pre>
 */
public final class SpringOutbox {

    private final Outbox outbox;
    private final CurrentTransaction transaction;
    private final PersistenceContexts persistenceContexts;
    private final Optional<EventPublishers> publishers;
    private final EventMappings mappings;

    private SpringOutbox(Builder builder) {
        this.outbox = builder.outbox;
        this.transaction = new CurrentTransaction(builder.dataSource);
        this.persistenceContexts =
                builder.flushJpa ? PersistenceContexts.on(transaction) : PersistenceContexts.leftAlone();
        this.publishers = builder.events;
        this.mappings = new EventMappings(builder.beanFactory);
    }

    /**
     * An outbox to be set up.
     *
     * @param dataSource that of your transactions; proxies of Spring around it, or below it, are found by themselves
     */
    public static Builder builder(Outbox outbox, DataSource dataSource) {
        return new Builder(outbox, dataSource);
    }

    /** A message for this topic, with an id from the outbox's generator. */
    public OutboxMessage.Builder message(String topic) {
        return outbox.message(topic);
    }

    /**
     * Inserts the messages in the current transaction.
     *
     * @return the ids of the messages that were inserted, in order; one whose dedup key is known already is left out
     * @throws dev.postrider.NoTransactionException if there is no transaction to write in; the text says why and what to do
     * @throws dev.postrider.message.InvalidMessageException if a message is not valid
     */
    public List<MessageId> enqueue(OutboxMessage... messages) {
        return enqueue(Arrays.asList(Objects.requireNonNull(messages, "messages")));
    }

    /** The same for a collection. */
    public List<MessageId> enqueue(Collection<OutboxMessage> messages) {
        List<OutboxMessage> list = new ArrayList<>(messages);
        return write(connection -> outbox.enqueue(connection, list));
    }

    /**
     * Publishes an event whose class has an {@link OutboxEvent} in the current transaction.
     *
     * @return the message that was written, with its id
     * @throws IllegalArgumentException if its class has none
     * @throws IllegalStateException if this outbox has no {@link Builder#events}
     * @throws dev.postrider.NoTransactionException if there is no transaction to write in
     * @throws dev.postrider.spi.CodecException if no codec can write the event
     */
    public OutboxMessage publish(Object event) {
        return publisher().publishAll(List.of(mappings.publication(event))).get(0);
    }

    /** A publisher of typed events that writes, at each call, in the transaction that is current then. Thread-safe. */
    public EventPublisher publisher() {
        EventPublishers configured = publishers.orElseThrow(
                () -> new IllegalStateException("This outbox does not know how to write events. Say it with"
                        + " SpringOutbox.builder(outbox, dataSource).events(EventPublishers.builder(codecs).build())"));
        return publications ->
                write(connection -> configured.in(outbox, connection).publishAll(publications));
    }

    private <T> T write(Function<Connection, T> insert) {
        transaction.require();
        persistenceContexts.flush();
        T written = transaction.withConnection(insert);
        WakeUp.register(outbox);
        return written;
    }

    /** The outbox behind this one, for statistics and dead letters. */
    public Outbox outbox() {
        return outbox;
    }

    /** Wakes the relays of this process once a transaction has ended; one for each transaction and outbox. */
    private record WakeUp(Outbox outbox) implements TransactionSynchronization {

        /** In the transaction that is active on this thread. Spring keeps a set of them, so an equal one is not added. */
        static void register(Outbox outbox) {
            TransactionSynchronizationManager.registerSynchronization(new WakeUp(outbox));
        }

        @Override
        public void afterCommit() {
            outbox.wake();
        }

        /** A transaction of another manager, which shares these synchronizations, may have committed inside one that did not. */
        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                outbox.wake();
            }
        }
    }

    /** Collects the options of an outbox; not thread-safe. */
    public static final class Builder {

        private final Outbox outbox;
        private final DataSource dataSource;
        private boolean flushJpa = true;
        private Optional<EventPublishers> events = Optional.empty();
        private Optional<ConfigurableBeanFactory> beanFactory = Optional.empty();

        private Builder(Outbox outbox, DataSource dataSource) {
            this.outbox = Objects.requireNonNull(outbox, "outbox");
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /**
         * Whether a persistence context of JPA that takes part in the transaction is flushed before each insert. Without it, a message may
         * get its number before the row of its entity is locked, and overtake a message of a transaction that comes first: then flush
         * yourself, or lock the row when you read it. Default: true.
         */
        public Builder flushJpa(boolean value) {
            this.flushJpa = value;
            return this;
        }

        /** How typed events are written: codecs, default options and interceptors. Default: {@link SpringOutbox#publish} refuses. */
        public Builder events(EventPublishers value) {
            this.events = Optional.of(Objects.requireNonNull(value, "events"));
            return this;
        }

        /** Resolves placeholders, and beans that expressions name, in {@link OutboxEvent}. Default: none; both are refused. */
        public Builder beanFactory(ConfigurableBeanFactory value) {
            this.beanFactory = Optional.of(Objects.requireNonNull(value, "beanFactory"));
            return this;
        }

        public SpringOutbox build() {
            return new SpringOutbox(this);
        }
    }
}
