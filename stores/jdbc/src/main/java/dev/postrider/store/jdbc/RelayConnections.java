package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Borrows connections for a relay, which loses its lanes when it waits too long: at most a quarter of its lease for a connection,
 * and half of it for an answer.
 *
 * <p>A pool cannot be told to hurry, and interrupting a thread inside of it may break what it does not own. So another thread asks
 * the pool. When the relay stops waiting, that thread keeps its place in the pool's queue, and whoever of the relay asks next waits
 * for the same connection. One that arrives while nobody waits goes back at once. Thread-safe.
 */
public final class RelayConnections {

    /** As an SQLState. */
    private static final String CONNECTION_FAILED = "08001";

    private static final Executor BORROWERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "postrider-borrow");
        thread.setDaemon(true);
        return thread;
    });

    private final DataSource dataSource;
    private final LeaseLimits limits;
    private final Queue<Request> late = new ConcurrentLinkedQueue<>();

    /** For relays whose leases have the default length. */
    public RelayConnections(DataSource dataSource) {
        this(dataSource, new LeaseLimits());
    }

    RelayConnections(DataSource dataSource, LeaseLimits limits) {
        this.dataSource = dataSource;
        this.limits = limits;
    }

    /** @throws SQLException if there is none in time, or the data source refuses */
    public LentConnection borrow() throws SQLException {
        return new LentConnection(request().await(limits.connection()), limits.answer());
    }

    private Request request() {
        for (Request request = late.poll(); request != null; request = late.poll()) {
            if (request.isAwaitedAgain()) {
                return request;
            }
        }
        Request request = new Request();
        BORROWERS.execute(request);
        return request;
    }

    /** One call of the data source, for one waiting thread after the other. */
    private final class Request implements Runnable {

        private final CompletableFuture<Connection> outcome = new CompletableFuture<>();
        private boolean isAwaited = true;

        @Override
        public void run() {
            try {
                hand(dataSource.getConnection());
            } catch (SQLException | RuntimeException | Error failure) {
                outcome.completeExceptionally(failure);
            }
        }

        private void hand(Connection connection) throws SQLException {
            synchronized (this) {
                if (isAwaited) {
                    outcome.complete(connection);
                    return;
                }
                outcome.cancel(false);
            }
            connection.close();
        }

        private synchronized boolean isAwaitedAgain() {
            isAwaited = !outcome.isDone();
            return isAwaited;
        }

        /** A thread that is interrupted stops waiting too; one that came interrupted, as relays may, waits all the same. */
        Connection await(Duration limit) throws SQLException {
            boolean isInterrupted = Thread.interrupted();
            try {
                return outcome.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException | TimeoutException tooLong) {
                isInterrupted |= tooLong instanceof InterruptedException;
                return lastLook(limit);
            } catch (ExecutionException failed) {
                throw failureOf(failed.getCause());
            } finally {
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** It may have arrived just now. */
        private synchronized Connection lastLook(Duration limit) throws SQLException {
            if (outcome.isDone() && !outcome.isCompletedExceptionally()) {
                return outcome.join();
            }
            isAwaited = false;
            late.add(this);
            throw new SQLTransientConnectionException(
                    "the data source gave no connection within " + limit.toMillis()
                            + " ms, a quarter of the lease. Its pool is exhausted or the database does not answer;"
                            + " give the relay a small pool of its own",
                    CONNECTION_FAILED);
        }
    }

    private static SQLException failureOf(Throwable failure) {
        if (failure instanceof RuntimeException broken) {
            throw broken;
        }
        if (failure instanceof Error serious) {
            throw serious;
        }
        return (SQLException) failure;
    }
}
