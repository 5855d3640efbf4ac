package dev.postrider;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction on a connection of its own, rolled back unless it was committed. For one thread. */
final class OwnTransaction implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnTransaction.class);

    /** How many are open on this thread. */
    private static final ThreadLocal<Integer> OPEN = ThreadLocal.withInitial(() -> 0);

    private final TransactionGuard guard;
    private final Connection connection;
    private final boolean hadAutoCommit;
    private boolean hasCommitted;

    private OwnTransaction(TransactionGuard guard, Connection connection, boolean hadAutoCommit) {
        this.guard = guard;
        this.connection = connection;
        this.hadAutoCommit = hadAutoCommit;
        OPEN.set(OPEN.get() + 1);
    }

    static boolean isOpenOnThisThread() {
        return OPEN.get() > 0;
    }

    static OwnTransaction begin(TransactionGuard guard, DataSource dataSource) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                boolean hadAutoCommit = connection.getAutoCommit();
                guard.requireNoTransaction(hadAutoCommit);
                connection.setAutoCommit(false);
                guard.opened(connection);
                return new OwnTransaction(guard, connection, hadAutoCommit);
            } catch (SQLException | RuntimeException failure) {
                closeQuietly(connection);
                throw failure;
            }
        } catch (SQLException failure) {
            throw new StoreException("Cannot begin a transaction: " + failure.getMessage(), failure);
        }
    }

    Connection connection() {
        return connection;
    }

    void commit() {
        try {
            connection.commit();
            hasCommitted = true;
        } catch (SQLException failure) {
            throw new StoreException("The commit failed; whether it took effect is unknown", failure);
        }
    }

    /** @throws StoreException if the rollback fails. There is an earlier error then, which this one is added to */
    @Override
    public void close() {
        try {
            if (!hasCommitted) {
                rollback();
            }
            restoreAutoCommit();
        } finally {
            ended();
            guard.closed(connection);
            closeQuietly(connection);
        }
    }

    private static void ended() {
        int rest = OPEN.get() - 1;
        if (rest > 0) {
            OPEN.set(rest);
        } else {
            OPEN.remove();
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
