package dev.postrider;

import dev.postrider.internal.Readable;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.InboxStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Makes the effects of a message happen once, however often it arrives.
 *
 * <p>The id of the message is recorded in the same transaction as the handler's own changes: both are committed or neither. A duplicate
 * is recognised and its handler not run, for as long as ids are kept; a duplicate that arrives while the first one is being handled waits
 * for its end. Each consumer remembers for itself. Only effects in that database count: what a handler does elsewhere may happen twice.
 * Thread-safe.
 *
 * <pre>{@code
 * inbox.inTransaction(dataSource, "billing", message, connection -> insertInvoice(connection, order));
 * }</pre>
 */
public final class Inbox {

    /** Long enough for a broker's retries and an operator's replay. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

    private static final int BATCH = 1_000;
    private static final int MAX_CONSUMER_LENGTH = 255;

    private final InboxStore store;
    private final TransactionGuard guard;

    private Inbox(InboxStore store, boolean poolDisablesAutoCommit) {
        this.store = store;
        this.guard = TransactionGuard.of("inbox", "inbox.process(connection, ...)", poolDisablesAutoCommit);
    }

    public static Inbox over(InboxStore store) {
        return new Inbox(Objects.requireNonNull(store, "store"), false);
    }

    /** The same inbox, for a pool that hands out connections with auto-commit off; see {@link Outbox.Builder#poolDisablesAutoCommit}. */
    public Inbox poolDisablesAutoCommit(boolean value) {
        return new Inbox(store, value);
    }

    /**
     * Runs the handler unless this consumer has handled the message before, in the transaction that is open on this connection. The
     * caller commits, and acknowledges the message after that in either case; when anything is thrown, the caller rolls back.
     *
     * @param consumer who handles it, at most 255 characters; another consumer handles the same message for itself
     * @return whether the handler was run; false for a duplicate
     * @throws NoTransactionException if the connection is in auto-commit mode, or known to be in no transaction
     */
    public <E extends Exception> boolean process(
            Connection connection, String consumer, OutboxMessage message, Handler<E> handler) throws E {
        Objects.requireNonNull(message, "message");
        requireName(consumer);
        guard.requireTransaction(
                connection,
                "so the message would count as handled even if its handler fails",
                "Call setAutoCommit(false) first, or use inbox.inTransaction(...)");
        if (!store.record(connection, consumer, identityOf(message))) {
            return false;
        }
        handler.handle(connection);
        return true;
    }

    /** What other producers chose is unique only together with their source. */
    private static MessageId identityOf(OutboxMessage message) {
        return message.id().within(message.headers().get(Headers.SOURCE).orElse(""));
    }

    /**
     * The same in a transaction of its own, which is committed when the handler returns and rolled back when it throws. Inside a
     * transaction that is open already call {@link #process} with its connection.
     *
     * @throws AlreadyInTransactionException if the thread is in a transaction of a framework, or the connection may be in one
     *     because its auto-commit is off; see {@link #poolDisablesAutoCommit}
     */
    public <E extends Exception> boolean inTransaction(
            DataSource dataSource, String consumer, OutboxMessage message, Handler<E> handler) throws E {
        try (OwnTransaction transaction = guard.begin(dataSource)) {
            boolean isNew = process(transaction.connection(), consumer, message, handler);
            transaction.commit();
            return isNew;
        }
    }

    /**
     * Forgets what was handled longer ago than this, by the database's clock, a thousand at a time. To be called now and then, by any
     * number of processes; duplicates that arrive later than this are handled again.
     *
     * @return how many were forgotten
     */
    public long cleanUp(Duration retention) {
        if (retention.isNegative()) {
            throw new IllegalArgumentException("retention is " + Readable.time(retention) + ", expected zero or more");
        }
        long all = 0;
        int deleted;
        do {
            deleted = store.forget(retention, BATCH);
            all += deleted;
        } while (deleted > 0 && !Thread.currentThread().isInterrupted());
        return all;
    }

    private static void requireName(String consumer) {
        if (consumer.isBlank() || consumer.length() > MAX_CONSUMER_LENGTH) {
            throw new IllegalArgumentException("consumer has " + consumer.length()
                    + " characters, expected a name of 1 to " + MAX_CONSUMER_LENGTH);
        }
    }

    /** What is done about a message, through the connection on which it is recorded. */
    @FunctionalInterface
    public interface Handler<E extends Exception> {
        void handle(Connection connection) throws E;
    }
}
