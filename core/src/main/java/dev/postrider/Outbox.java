package dev.postrider;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.internal.ContainedTracing;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Where a service writes messages, in the same transaction as its data.
 *
 * <p>Guarantees: a message is written at once, through the caller's own connection; it is delivered if and only if that
 * transaction commits, savepoints included. A bad message is refused before anything is written. Thread-safe.
 *
 * <pre>{@code
 * outbox.inTransaction(dataSource, tx -> {
 *     insertOrder(tx.connection(), order);
 *     tx.enqueue(outbox.message("orders").key(order.id()).type("OrderPlaced").json(json).build());
 * });
 * }</pre>
 */
public final class Outbox {

    private final OutboxStore store;
    private final MessageIdGenerator idGenerator;
    private final Optional<String> source;
    private final boolean allowAutoCommit;
    private final TransactionGuard guard;
    private final boolean checkJson;
    private final TraceContext trace;

    private Outbox(Builder builder) {
        this.store = builder.store;
        this.idGenerator = builder.idGenerator;
        this.source = builder.source;
        this.allowAutoCommit = builder.allowAutoCommit;
        this.guard = TransactionGuard.of("outbox", "outbox.enqueue(connection, ...)", builder.poolDisablesAutoCommit);
        this.checkJson = builder.checkJson;
        this.trace = ContainedTracing.of(builder.tracing);
    }

    public static Builder builder(OutboxStore store) {
        return new Builder(store);
    }

    /** An outbox with every option at its default. */
    public static Outbox withDefaults(OutboxStore store) {
        return builder(store).build();
    }

    /** A message for this topic, with an id from this outbox's generator. */
    public OutboxMessage.Builder message(String topic) {
        return OutboxMessage.builder(topic, idGenerator).checkJson(checkJson);
    }

    /**
     * Inserts the messages through this connection and its open transaction.
     *
     * @return the ids of the messages that were inserted, in order; one whose dedup key is known already is left out
     * @throws NoTransactionException if the connection is in auto-commit mode, or known to be in no transaction
     * @throws dev.postrider.message.InvalidMessageException if a message is too large, or a header that stands
     *     for a CloudEvents attribute is not valid; no destination would take it
     */
    public List<MessageId> enqueue(Connection connection, OutboxMessage... messages) {
        return enqueue(connection, Arrays.asList(Objects.requireNonNull(messages, "messages")));
    }

    /** The same for a list. */
    public List<MessageId> enqueue(Connection connection, List<OutboxMessage> messages) {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(messages, "messages");
        List<OutboxMessage> complete = new ArrayList<>(messages.size());
        for (OutboxMessage message : messages) {
            if (message == null) {
                throw new InvalidMessageException(
                        "message",
                        "number " + (complete.size() + 1) + " of " + messages.size() + " is null; leave it out");
            }
            OutboxMessage withSource = withSource(message);
            store.limits().check(withSource);
            CloudEventAttributes.check(withSource);
            complete.add(withSource);
        }
        requireTransaction(connection);
        if (complete.isEmpty()) {
            return List.of();
        }
        complete.replaceAll(this::withTrace);
        return store.insert(connection, complete).stream()
                .map(OutboxMessage::id)
                .toList();
    }

    private OutboxMessage withSource(OutboxMessage message) {
        if (source.isEmpty() || message.headers().get(Headers.SOURCE).isPresent()) {
            return message;
        }
        return message.withHeaders(message.headers().with(Headers.SOURCE, source.get()));
    }

    /** One that names its trace keeps it. One that has no room left goes without: a trace must not stop a message. */
    private OutboxMessage withTrace(OutboxMessage message) {
        if (trace == TraceContext.NONE
                || message.headers().get(Headers.TRACE_PARENT).isPresent()) {
            return message;
        }
        Map<String, String> captured = trace.capture(message);
        if (captured.isEmpty()) {
            return message;
        }
        Map<String, String> headers = new LinkedHashMap<>(message.headers().asMap());
        captured.forEach(headers::putIfAbsent);
        OutboxMessage traced = message.withHeaders(Headers.of(headers));
        return store.limits().allow(traced) ? traced : message;
    }

    private void requireTransaction(Connection connection) {
        if (!allowAutoCommit) {
            guard.requireTransaction(
                    connection,
                    "so the messages would not share a transaction with your data",
                    "Call setAutoCommit(false) first, use outbox.inTransaction(...), or allow it with"
                            + " Outbox.builder(store).allowAutoCommit(true)");
        }
    }

    /**
     * Runs the work in a transaction of its own, commits it, and wakes the relays of this process right after. Whatever the
     * work throws rolls everything back and is thrown on unchanged; if the rollback fails too, that is added as suppressed.
     *
     * <p>Not for use inside a transaction that is open already: call {@link #enqueue} with its connection there.
     *
     * @throws AlreadyInTransactionException if the thread is in a transaction of a framework, or the connection may be in one
     *     because its auto-commit is off; see {@link Builder#poolDisablesAutoCommit}
     */
    public <E extends Exception> void inTransaction(DataSource dataSource, TransactionalWork<E> work) throws E {
        Objects.requireNonNull(work, "work");
        inTransactionReturning(dataSource, tx -> {
            work.run(tx);
            return Optional.empty();
        });
    }

    /** The same for work with a result. */
    public <T, E extends Exception> T inTransactionReturning(DataSource dataSource, TransactionalFunction<T, E> work)
            throws E {
        Objects.requireNonNull(dataSource, "dataSource");
        Objects.requireNonNull(work, "work");
        OutboxTransaction transaction = new OutboxTransaction(this, guard.begin(dataSource));
        T result;
        try (transaction) {
            result = work.apply(transaction);
            transaction.commit();
        }
        if (transaction.hasEnqueued()) {
            wake();
        }
        return result;
    }

    /** Tells the relays of this process that messages were committed; for callers who commit themselves. Never blocks. */
    public void wake() {
        store.wakeSignal().fire();
    }

    /** How this outbox stands; cheap on any backlog. */
    public OutboxStats stats() {
        return store.stats();
    }

    /** The messages that were given up, to look at, retry or discard. */
    public DeadLetters deadLetters() {
        return store.deadLetters();
    }

    /** Work inside {@link #inTransaction}. */
    @FunctionalInterface
    public interface TransactionalWork<E extends Exception> {
        void run(OutboxTransaction transaction) throws E;
    }

    /** Work with a result inside {@link #inTransactionReturning}. */
    @FunctionalInterface
    public interface TransactionalFunction<T, E extends Exception> {
        T apply(OutboxTransaction transaction) throws E;
    }

    /** Collects the options of an outbox. */
    public static final class Builder {

        private final OutboxStore store;
        private MessageIdGenerator idGenerator = MessageIdGenerator.uuidV7();
        private Optional<String> source = Optional.empty();
        private boolean allowAutoCommit;
        private boolean poolDisablesAutoCommit;
        private boolean checkJson = true;
        private TraceContext tracing = TraceContext.NONE;

        private Builder(OutboxStore store) {
            this.store = Objects.requireNonNull(store, "store");
        }

        /** Makes the ids of messages built by {@link Outbox#message}. Default: UUIDv7 by the system's clock. */
        public Builder idGenerator(MessageIdGenerator value) {
            this.idGenerator = Objects.requireNonNull(value, "idGenerator");
            return this;
        }

        /** The CloudEvents source of messages that name none, such as {@code /orders}. Default: none. */
        public Builder source(String value) {
            this.source = Optional.of(Objects.requireNonNull(value, "source"));
            return this;
        }

        /**
         * Allows {@link Outbox#enqueue} on a connection in auto-commit mode: each call is then a transaction of its own, not
         * shared with any data. Default: false.
         */
        public Builder allowAutoCommit(boolean value) {
            this.allowAutoCommit = value;
            return this;
        }

        /**
         * Says that the pool hands out connections with auto-commit off, such as HikariCP with {@code autoCommit=false}. Then {@link
         * Outbox#inTransaction} accepts them, and {@link Outbox#enqueue} refuses a connection outside a transaction where a framework
         * such as Spring can tell; elsewhere you must commit, or the messages vanish with the rest. Default: false.
         */
        public Builder poolDisablesAutoCommit(boolean value) {
            this.poolDisablesAutoCommit = value;
            return this;
        }

        /**
         * Whether messages built by {@link Outbox#message} refuse a text that is not JSON, see {@link OutboxMessage.Builder#checkJson}.
         * Default: true. Switch it off where the texts come from a serializer and every microsecond counts.
         */
        public Builder checkJson(boolean value) {
            this.checkJson = value;
            return this;
        }

        /**
         * Keeps with each message the trace in which it is enqueued, as headers, unless the message has the header {@code traceparent}
         * already. Default: none.
         */
        public Builder tracing(TraceContext value) {
            this.tracing = Objects.requireNonNull(value, "tracing");
            return this;
        }

        public Outbox build() {
            return new Outbox(this);
        }
    }
}
