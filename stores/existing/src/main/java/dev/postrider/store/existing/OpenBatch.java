package dev.postrider.store.existing;

import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.TransactionLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows that an open transaction has locked, and what became of them so far. Outcomes are recorded together, when the last one is
 * known: a failing statement half-way would undo those before it. Its connection may serve one batch after the other. Guarded by its owner.
 */
final class OpenBatch implements AutoCloseable {

    private final LentConnection lent;
    private final Database database;
    private final TransactionLimits limits;
    private final boolean autoCommit;
    private final int isolation;
    private final Map<Long, Taken> unsettled = new HashMap<>();
    private final Map<RowKey, Outcome> outcomes = new LinkedHashMap<>();
    private SessionReset reset = SessionReset.NONE;
    private boolean hasBegun;
    private long openedAt;

    private OpenBatch(LentConnection lent, Database database, TransactionLimits limits) throws SQLException {
        this.lent = lent;
        this.database = database;
        this.limits = limits;
        this.autoCommit = lent.get().getAutoCommit();
        this.isolation = lent.get().getTransactionIsolation();
    }

    static OpenBatch on(LentConnection lent, Database database, TransactionLimits limits) throws SQLException {
        try {
            OpenBatch batch = new OpenBatch(lent, database, limits);
            lent.get().setAutoCommit(false);
            return batch;
        } catch (SQLException | RuntimeException failure) {
            lent.close();
            throw failure;
        }
    }

    /**
     * Begins the next transaction. On PostgreSQL each says for itself what holds for it, which a pooler of transactions allows; elsewhere the session
     * does, once.
     */
    void begin() throws SQLException {
        openedAt = System.nanoTime();
        unsettled.clear();
        outcomes.clear();
        if (database.isPostgres() || !hasBegun) {
            reset = database.begin(connection(), Isolation.READ_COMMITTED, limits);
        }
        if (!database.isPostgres() && !hasBegun) {
            connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        hasBegun = true;
    }

    /** Whether the server ends it after this idle time, as it should. */
    boolean isLimitedBy(Duration idle) {
        return limits.idle().equals(idle);
    }

    Connection connection() {
        return lent.get();
    }

    void add(Taken taken) {
        unsettled.put(taken.seq(), taken);
    }

    boolean has(Taken taken) {
        return unsettled.containsKey(taken.seq());
    }

    void settle(Taken taken, Outcome outcome) {
        unsettled.remove(taken.seq());
        outcomes.put(taken.key(), outcome);
    }

    void drop(Taken taken) {
        unsettled.remove(taken.seq());
    }

    boolean isComplete() {
        return unsettled.isEmpty();
    }

    boolean isAllDelivered() {
        return outcomes.values().stream().allMatch(RowOutcome.Delivered.class::isInstance);
    }

    Map<RowKey, Outcome> outcomes() {
        return outcomes;
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - openedAt > age.toNanos();
    }

    /** Says to the server that somebody is there. */
    void touch() throws SQLException {
        Sql.of("SELECT 1").first(connection(), row -> row.getInt(1));
    }

    @Override
    public void close() {
        try (lent) {
            connection().rollback();
            reset.reset(connection());
            if (!database.isPostgres()) {
                connection().setTransactionIsolation(isolation);
            }
            connection().setAutoCommit(autoCommit);
        } catch (SQLException ignored) {
            // The outcome is known by now; a broken connection shows itself to its next user.
        }
    }
}
