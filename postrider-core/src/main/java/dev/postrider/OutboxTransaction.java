package dev.postrider;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction that {@link Outbox#inTransaction} runs. Valid only inside the callback and only on its thread.
 *
 * <p>The callback must not commit, roll back or close the connection; savepoints are fine.
 */
public final class OutboxTransaction implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxTransaction.class);

    private final Outbox outbox;
    private final Connection connection;
    private final boolean hadAutoCommit;
    private boolean hasEnqueued;
    private boolean hasCommitted;

    private OutboxTransaction(Outbox outbox, Connection connection, boolean hadAutoCommit) {
        this.outbox = outbox;
        this.connection = connection;
        this.hadAutoCommit = hadAutoCommit;
    }

    static OutboxTransaction begin(Outbox outbox, DataSource dataSource) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                boolean hadAutoCommit = connection.getAutoCommit();
                connection.setAutoCommit(false);
                return new OutboxTransaction(outbox, connection, hadAutoCommit);
            } catch (SQLException | RuntimeException failure) {
                closeQuietly(connection);
                throw failure;
            }
        } catch (SQLException failure) {
            throw new StoreException("Cannot begin a transaction: " + failure.getMessage(), failure);
        }
    }

    /** The connection of the transaction, for the caller's own data. */
    public Connection connection() {
        return connection;
    }

    /** Inserts messages in this transaction; see {@link Outbox#enqueue(Connection, OutboxMessage...)}. */
    public List<MessageId> enqueue(OutboxMessage... messages) {
        return enqueue(Arrays.asList(Objects.requireNonNull(messages, "messages")));
    }

    /** Inserts messages in this transaction. */
    public List<MessageId> enqueue(List<OutboxMessage> messages) {
        List<MessageId> ids = outbox.enqueue(connection, messages);
        hasEnqueued |= !ids.isEmpty();
        return ids;
    }

    boolean hasEnqueued() {
        return hasEnqueued;
    }

    void commit() {
        try {
            connection.commit();
            hasCommitted = true;
        } catch (SQLException failure) {
            throw new StoreException("The commit failed; whether it took effect is unknown", failure);
        }
    }

    /**
     * Rolls back unless committed, and gives the connection back. Called by {@link Outbox#inTransaction}.
     *
     * @throws StoreException if the rollback fails. There is an earlier error then, which this one is added to
     */
    @Override
    public void close() {
        try {
            if (!hasCommitted) {
                rollback();
            }
            restoreAutoCommit();
        } finally {
            closeQuietly(connection);
        }
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException failure) {
            throw new StoreException("The rollback failed; closing the connection ends its transaction", failure);
        }
    }

    /** What was committed stays committed, whatever the connection does now. */
    private void restoreAutoCommit() {
        try {
            connection.setAutoCommit(hadAutoCommit);
        } catch (SQLException | RuntimeException failure) {
            LOG.debug("Cannot set a connection back to its former mode", failure);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException failure) {
            LOG.debug("Cannot close a connection", failure);
        }
    }
}
