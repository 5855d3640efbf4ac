package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Internal;
import dev.postrider.internal.Readable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections for a relay, which loses its lanes when it waits too long: at most a quarter of its lease for a connection,
 * and half of it for an answer.
 *
 * <p>A pool cannot be told to hurry, and interrupting a thread inside of it may break what it does not own. So another thread asks
 * the pool. When the relay stops waiting, that thread keeps its place in the pool's queue, and whoever of the relay asks next waits
 * for the same connection. One that arrives while nobody waits goes back at once.
 *
 * <p>There is one such thread: a data source that never answers hangs no others. The log says so once when it has not answered for a
 * lease, and once more when it does. Thread-safe.
 */
@Internal
public final class RelayConnections {

    /** As an SQLState. */
    private static final String CONNECTION_FAILED = "08001";

    private static final Logger LOG = LoggerFactory.getLogger(RelayConnections.class);
    private static final String BORROWER = "postrider-borrow";
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final DataSource dataSource;
    private final Executor borrower = oneThread();
    private final LeaseLimits limits;
    private final Queue<Request> late = new ConcurrentLinkedQueue<>();

    private boolean isCalling;
    private long callBeganAt;
    private boolean isHangReported;

    /** For relays whose leases have the default length. */
    public RelayConnections(DataSource dataSource) {
        this(dataSource, new LeaseLimits());
    }

    RelayConnections(DataSource dataSource, LeaseLimits limits) {
        this.dataSource = dataSource;
        this.limits = limits;
    }

    /** Ends by itself while nobody borrows. */
    private static Executor oneThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, BORROWER);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
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
        borrower.execute(request);
        return request;
    }

    private Connection callDataSource() throws SQLException {
        callBegins();
        try {
            return dataSource.getConnection();
        } finally {
            callEnded();
        }
    }

    private synchronized void callBegins() {
        callBeganAt = System.nanoTime();
        isCalling = true;
    }

    private synchronized void callEnded() {
        isCalling = false;
        if (isHangReported) {
            isHangReported = false;
            LOG.info("DataSource.getConnection() has returned after {}", Readable.time(sinceCall()));
        }
    }

    private Duration sinceCall() {
        return Duration.ofNanos(System.nanoTime() - callBeganAt);
    }

    private synchronized void reportHang() {
        Duration since = sinceCall();
        if (isCalling && !isHangReported && since.compareTo(limits.lease()) > 0) {
            isHangReported = true;
            LOG.error(
                    "DataSource.getConnection() has not returned for {}, and the relay waits for it. Give the pool a connection timeout"
                            + " and the driver a connect timeout; a dump of thread {} shows where it hangs",
                    Readable.time(since),
                    BORROWER);
        }
    }

    /** One call of the data source, for one waiting thread after the other. */
    private final class Request implements Runnable {

        private final CompletableFuture<Connection> outcome = new CompletableFuture<>();
        private boolean isAwaited = true;

        @Override
        public void run() {
            if (!isStillAwaited()) {
                return;
            }
            try {
                hand(callDataSource());
            } catch (SQLException | RuntimeException | Error failure) {
                outcome.completeExceptionally(failure);
            }
        }

        /** It may have been given up while the borrower was busy with another one. */
        private synchronized boolean isStillAwaited() {
            if (!isAwaited) {
                outcome.cancel(false);
            }
            return isAwaited;
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
            reportHang();
            throw new SQLTransientConnectionException(
                    "the data source gave no connection within " + limit.toMillis()
                            + " ms, a quarter of the lease. Its pool is exhausted or the database does not answer;"
                            + " give the relay a small pool of its own",
                    CONNECTION_FAILED);
        }
    }

    private static SQLException failureOf(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException broken) {
            throw broken;
        }
        if (failure instanceof Error serious) {
            throw serious;
        }
        return (SQLException) requireNonNull(failure);
    }
}
