package dev.postrider.store.status;

import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.SessionReset;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Rows that an open transaction has locked, and what became of them so far. Outcomes are recorded together, when the last one is
 * known: a failing statement half-way would undo those before it. Guarded by its owner.
 */
final class OpenBatch implements AutoCloseable {

    private final Connection connection;
    private final boolean autoCommit;
    private final SessionReset reset;
    private final long openedAt = System.nanoTime();
    private final Map<Long, Taken> unsettled = new HashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    private OpenBatch(Connection connection, boolean autoCommit, SessionReset reset) {
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.reset = reset;
    }

    static OpenBatch begin(DataSource dataSource, Database database, Duration maxIdle) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            return new OpenBatch(connection, autoCommit, database.begin(connection, Isolation.READ_COMMITTED, maxIdle));
        } catch (SQLException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    Connection connection() {
        return connection;
    }

    void add(Taken taken) {
        unsettled.put(taken.seq(), taken);
    }

    boolean has(Taken taken) {
        return unsettled.containsKey(taken.seq());
    }

    void settle(Taken taken, Outcome outcome) {
        unsettled.remove(taken.seq());
        outcomes.add(outcome);
    }

    void drop(Taken taken) {
        unsettled.remove(taken.seq());
    }

    boolean isComplete() {
        return unsettled.isEmpty();
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - openedAt > age.toNanos();
    }

    /** Says to the server that somebody is there. */
    void touch() throws SQLException {
        Sql.of("SELECT 1").first(connection, row -> row.getInt(1));
    }

    @Override
    public void close() {
        try (connection) {
            connection.rollback();
            reset.reset(connection);
            connection.setAutoCommit(autoCommit);
        } catch (SQLException ignored) {
            // The outcome is known by now; a broken connection shows itself to its next user.
        }
    }
}
