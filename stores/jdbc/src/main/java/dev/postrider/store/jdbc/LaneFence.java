package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Locks a lane's row and checks its epoch, in the transaction that is about to change something.
 *
 * <p>The lock is what fences: a check without it would let a stopped relay commit after its successor began. It also puts
 * all changes of one lane's held rows into a sequence, on which their invariant rests.
 */
@Internal
public final class LaneFence {

    private final JdbcContext context;
    private final String lock;

    public LaneFence(JdbcContext context) {
        this.context = context;
        // By lane alone: the row must be locked before owner and epoch are looked at. Primary key, one row.
        this.lock = "SELECT owner, epoch FROM %s WHERE lane = ? FOR UPDATE"
                .formatted(context.tables().lane());
    }

    /** Returns if the lease holds, and then it holds until the end of the transaction. */
    public void check(Connection connection, Lease lease) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, lock)) {
            boolean held = statement
                    .with(lease.lane())
                    .first(row -> lease.owner().equals(row.getString("owner")) && row.getLong("epoch") == lease.epoch())
                    .orElse(false);
            if (!held) {
                throw new LeaseLostException(lease);
            }
        }
    }

    /** Locks the lane whoever owns it. */
    void lock(Connection connection, int lane) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, lock)) {
            statement.with(lane).first(row -> row.getLong("epoch"));
        }
    }
}
