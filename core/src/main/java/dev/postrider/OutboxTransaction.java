package dev.postrider;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The transaction that {@link Outbox#inTransaction} runs. Valid only inside the callback and only on its thread.
 *
 * <p>The callback must not commit, roll back or close the connection; savepoints are fine.
 */
public final class OutboxTransaction implements AutoCloseable {

    private final Outbox outbox;
    private final OwnTransaction transaction;
    private boolean hasEnqueued;

    OutboxTransaction(Outbox outbox, OwnTransaction transaction) {
        this.outbox = outbox;
        this.transaction = transaction;
    }

    /** The connection of the transaction, for the caller's own data. */
    public Connection connection() {
        return transaction.connection();
    }

    /** Inserts messages in this transaction; see {@link Outbox#enqueue(Connection, OutboxMessage...)}. */
    public List<MessageId> enqueue(OutboxMessage... messages) {
        return enqueue(Arrays.asList(Objects.requireNonNull(messages, "messages")));
    }

    /** Inserts messages in this transaction. */
    public List<MessageId> enqueue(List<OutboxMessage> messages) {
        List<MessageId> ids = outbox.enqueue(connection(), messages);
        hasEnqueued |= !ids.isEmpty();
        return ids;
    }

    boolean hasEnqueued() {
        return hasEnqueued;
    }

    void commit() {
        transaction.commit();
    }

    /**
     * Rolls back unless committed, and returns the connection. Called by {@link Outbox#inTransaction}.
     *
     * @throws StoreException if the rollback fails. There is an earlier error then, which this one is added to
     */
    @Override
    public void close() {
        transaction.close();
    }
}
