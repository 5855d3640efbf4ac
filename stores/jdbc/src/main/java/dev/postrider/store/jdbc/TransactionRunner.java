package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Runs work in a short transaction of its own, at a stated isolation level.
 *
 * <p>Deadlocks, lock time-outs and serialization failures are run again a few times; they cost a delay, never an attempt of
 * a message. They are not run again when half of a lease has passed: the relay must come to renew. Any other error rolls back and becomes a {@link StoreException}.
 *
 * <p>Unless it is {@link #unlimited()}, it waits for a connection and for answers no longer than the relay's leases allow.
 * Thread-safe.
 */
@Internal
public final class TransactionRunner {

    private static final int MAX_RUNS = 8;
    private static final long FIRST_DELAY_MILLIS = 5;

    private final DataSource dataSource;
    private final TransactionRules rules;
    private final StoreErrors errors;
    private final LeaseLimits limits;
    private final RelayConnections connections;
    private final boolean isLimited;

    /** For tables that are not an outbox of our own; what they are is said in errors. */
    public TransactionRunner(DataSource dataSource, TransactionRules rules, String subject) {
        this(dataSource, rules, new StoreErrors(subject));
    }

    TransactionRunner(DataSource dataSource, TransactionRules rules, StoreErrors errors) {
        this(dataSource, rules, errors, new LeaseLimits());
    }

    private TransactionRunner(DataSource dataSource, TransactionRules rules, StoreErrors errors, LeaseLimits limits) {
        this.dataSource = dataSource;
        this.rules = rules;
        this.errors = errors;
        this.limits = limits;
        this.connections = new RelayConnections(dataSource, limits);
        this.isLimited = true;
    }

    private TransactionRunner(TransactionRunner limited) {
        this.dataSource = limited.dataSource;
        this.rules = limited.rules;
        this.errors = limited.errors;
        this.limits = limited.limits;
        this.connections = limited.connections;
        this.isLimited = false;
    }

    /** The same for work that may take as long as it takes: schema, indexes, partitions, cleanup, what operators ask for. */
    public TransactionRunner unlimited() {
        return new TransactionRunner(this);
    }

    /** Tells how long the relay's leases are, which bound its transactions. */
    public void leaseIs(Duration timeToLive) {
        limits.leaseIs(timeToLive);
    }

    /** What the server is to end by itself. */
    public TransactionLimits limits() {
        return new TransactionLimits(limits.idle(), isLimited ? Optional.of(limits.statement()) : Optional.empty());
    }

    /** A connection for a transaction that the caller begins and ends itself. */
    public LentConnection borrow() throws SQLException {
        return isLimited ? connections.borrow() : LentConnection.unlimited(dataSource.getConnection());
    }

    /** Runs the work at {@link Isolation#READ_COMMITTED}. */
    public <T> T inTransaction(String purpose, SqlWork<T> work) {
        return inTransaction(purpose, Isolation.READ_COMMITTED, work);
    }

    /** Runs work without a result at {@link Isolation#READ_COMMITTED}. */
    public void run(String purpose, SqlAction action) {
        inTransaction(purpose, connection -> {
            action.run(connection);
            return Boolean.TRUE;
        });
    }

    /** Runs the work and commits. The purpose is for errors, as in "renew leases". */
    public <T> T inTransaction(String purpose, Isolation isolation, SqlWork<T> work) {
        return retrying(purpose, () -> runOnce(connection -> rules.begin(connection, isolation, limits()), work));
    }

    /**
     * Runs work that sends its whole transaction in one round trip, from the isolation level to the commit. Auto-commit is
     * off, and nothing is sent before or, unless it fails, after.
     */
    public <T> T inOneTrip(String purpose, SqlWork<T> work) {
        return retrying(purpose, () -> runOnce(connection -> SessionReset.NONE, work));
    }

    /**
     * Runs work whose only change is one statement, a transaction of its own: auto-commit stays on where it is on, which
     * saves round trips. The work sets the isolation level of that statement itself.
     */
    public <T> T inOneStatement(String purpose, SqlWork<T> work) {
        return retrying(purpose, () -> runStatement(work));
    }

    private <T> T retrying(String purpose, Attempt<T> attempt) {
        long start = System.nanoTime();
        for (int run = 1; ; run++) {
            try {
                return attempt.run();
            } catch (SQLException error) {
                if (run == MAX_RUNS || !isTransient(error) || isTooLate(start)) {
                    throw errors.translate(purpose, error);
                }
                waitBefore(run + 1, purpose, error);
            }
        }
    }

    private boolean isTooLate(long start) {
        return isLimited && System.nanoTime() - start > limits.answer().toNanos();
    }

    private boolean isTransient(SQLException error) {
        return error instanceof ConcurrentChangeException || rules.isTransient(error);
    }

    private <T> T runOnce(SqlWork<SessionReset> begin, SqlWork<T> work) throws SQLException {
        try (LentConnection lent = borrow()) {
            Connection connection = lent.get();
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            SessionReset reset = begin.run(connection);
            try {
                return runAndCommit(connection, work);
            } finally {
                restore(connection, reset, autoCommit);
            }
        }
    }

    private <T> T runStatement(SqlWork<T> work) throws SQLException {
        try (LentConnection lent = borrow()) {
            Connection connection = lent.get();
            return connection.getAutoCommit() ? work.run(connection) : runAndCommit(connection, work);
        }
    }

    private static <T> T runAndCommit(Connection connection, SqlWork<T> work) throws SQLException {
        try {
            T result = work.run(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error failure) {
            rollBack(connection, failure);
            throw failure;
        }
    }

    private static void restore(Connection connection, SessionReset reset, boolean autoCommit) {
        try {
            reset.reset(connection);
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException ignored) {
            // The outcome is known by now, and a broken connection shows itself to its next user: reporting this would
            // make a committed transaction look failed.
        }
    }

    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException onTop) {
            failure.addSuppressed(onTop);
        }
    }

    /** One try. */
    @FunctionalInterface
    private interface Attempt<T> {
        T run() throws SQLException;
    }

    private void waitBefore(int run, String purpose, SQLException error) {
        long longest = FIRST_DELAY_MILLIS << run;
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw errors.translate(purpose, error);
        }
    }
}
