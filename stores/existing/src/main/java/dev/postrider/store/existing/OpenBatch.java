package dev.postrider.store.existing;

import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.TransactionLimits;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows that an open transaction has locked, and what became of them so far. Outcomes are recorded together, when the last one is
 * known: a failing statement half-way would undo those before it. Guarded by its owner.
 */
final class OpenBatch implements AutoCloseable {

    private final LentConnection lent;
    private final boolean autoCommit;
    private final SessionReset reset;
    private final long openedAt = System.nanoTime();
    private final Map<Long, Taken> unsettled = new HashMap<>();
    private final Map<RowKey, Outcome> outcomes = new LinkedHashMap<>();

    private OpenBatch(LentConnection lent, boolean autoCommit, SessionReset reset) {
        this.lent = lent;
        this.autoCommit = autoCommit;
        this.reset = reset;
    }

    static OpenBatch begin(TransactionRunner transactions, Database database, Duration maxIdle) throws SQLException {
        LentConnection lent = transactions.borrow();
        try {
            boolean autoCommit = lent.get().getAutoCommit();
            lent.get().setAutoCommit(false);
            TransactionLimits limits =
                    new TransactionLimits(maxIdle, transactions.limits().statement());
            return new OpenBatch(lent, autoCommit, database.begin(lent.get(), Isolation.READ_COMMITTED, limits));
        } catch (SQLException | RuntimeException failure) {
            lent.close();
            throw failure;
        }
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
            connection().setAutoCommit(autoCommit);
        } catch (SQLException ignored) {
            // The outcome is known by now; a broken connection shows itself to its next user.
        }
    }
}
