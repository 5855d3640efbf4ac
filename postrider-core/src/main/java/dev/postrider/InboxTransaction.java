package dev.postrider;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that is rolled back unless it was committed. For one thread. */
final class InboxTransaction implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InboxTransaction.class);

    private final Connection connection;
    private final boolean hadAutoCommit;
    private boolean hasCommitted;

    private InboxTransaction(Connection connection, boolean hadAutoCommit) {
        this.connection = connection;
        this.hadAutoCommit = hadAutoCommit;
    }

    static InboxTransaction begin(DataSource dataSource) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                boolean hadAutoCommit = connection.getAutoCommit();
                connection.setAutoCommit(false);
                return new InboxTransaction(connection, hadAutoCommit);
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
            throw new StoreException(
                    "The commit failed; whether it took effect is unknown, and the inbox tells when the message comes"
                            + " again",
                    failure);
        }
    }

    @Override
    public void close() {
        try {
            if (!hasCommitted) {
                connection.rollback();
            }
            connection.setAutoCommit(hadAutoCommit);
        } catch (SQLException failure) {
            LOG.debug("Cannot clean up a connection; closing it ends its transaction", failure);
        } finally {
            closeQuietly(connection);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException failure) {
            LOG.debug("Cannot close a connection", failure);
        }
    }
}
