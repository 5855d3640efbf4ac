package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A connection of the user's pool, for one transaction; it goes back as it came. */
@Internal
public final class LentConnection implements AutoCloseable {

    private static final int NONE = 0;

    private final Connection connection;
    private final int formerTimeout;
    private final boolean isLimited;

    /**
     * Ends reads that get nothing for this long. A shorter time-out that the pool or the address has set stays. No known driver
     * asks the server for it, and H2 has no such thing.
     */
    LentConnection(Connection connection, Duration answer) {
        this.connection = connection;
        int limit = Math.toIntExact(Math.max(1, answer.toMillis()));
        int former = NONE;
        boolean limited = false;
        try {
            former = connection.getNetworkTimeout();
            if (former == NONE || former > limit) {
                // Some drivers hand the change to the executor, some ignore it: here it happens at once.
                connection.setNetworkTimeout(Runnable::run, limit);
                limited = true;
            }
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            // A driver without time-outs; and a broken connection shows itself to whoever uses it.
        }
        this.formerTimeout = former;
        this.isLimited = limited;
    }

    private LentConnection(Connection connection) {
        this.connection = connection;
        this.formerTimeout = NONE;
        this.isLimited = false;
    }

    static LentConnection unlimited(Connection connection) {
        return new LentConnection(connection);
    }

    public Connection get() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            if (isLimited) {
                restore();
            }
        }
    }

    private void restore() {
        try {
            connection.setNetworkTimeout(Runnable::run, formerTimeout);
        } catch (SQLException ignored) {
            // Broken: the pool finds out.
        }
    }
}
