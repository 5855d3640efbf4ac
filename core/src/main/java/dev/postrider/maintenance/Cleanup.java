package dev.postrider.maintenance;

import dev.postrider.spi.Maintenance;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes what is older than its retention: delivered messages of the audit trail, used dedup keys and, if wanted, dead
 * letters. Never a message that is undelivered, held or delayed.
 *
 * <p>Each run goes on in bounded batches until nothing is left to delete. Any number of instances may be started for one
 * outbox: one at a time works, and when it dies another one takes over after its lease. Ages are judged by the database's
 * clock. Thread-safe; started once and closed once.
 *
 * <pre>{@code
 * try (Cleanup cleanup = Cleanup.builder(store, Duration.ofDays(30)).build()) {
 *     cleanup.start();
 *     …
 * }
 * }</pre>
 */
public final class Cleanup implements AutoCloseable {

    static final String TASK = "cleanup";

    private static final Duration RETRY_AFTER_FAILURE = Duration.ofMinutes(1);

    private final Maintenance maintenance;
    private final CleanupOptions options;
    private final MaintenanceListener listener;
    private final StopSignal stop = new StopSignal();
    private final MaintenanceThread thread = new MaintenanceThread(TASK, stop, this::runAndSchedule);

    Cleanup(OutboxStore store, CleanupOptions options, MaintenanceListener listener) {
        this.maintenance = store.maintenance();
        this.options = options;
        this.listener = listener;
    }

    /**
     * A cleanup of this outbox.
     *
     * @param retention how long delivered messages stay in the audit trail; more than zero
     */
    public static CleanupBuilder builder(OutboxStore store, Duration retention) {
        return new CleanupBuilder(store, retention);
    }

    /** Cleans up at once and then at every interval, on a thread of its own. Returns at once. */
    public void start() {
        thread.start();
    }

    /**
     * Cleans up once, on the calling thread: for tests and for cron. Does nothing while another runner is at work, this
     * object's own thread included.
     *
     * @throws dev.postrider.spi.StoreException when a part failed; the others were tried
     */
    public CleanupReport runOnce() {
        CleanupReport report = runIfFree();
        listener.cleanupEnded(report);
        return report;
    }

    private CleanupReport runIfFree() {
        Optional<TaskLease> taken = TaskLease.take(maintenance, TASK, options.lease());
        if (taken.isEmpty()) {
            return CleanupReport.elsewhere();
        }
        try (TaskLease lease = taken.get()) {
            BatchedDelete batches = new BatchedDelete(lease, stop, listener, options.limit(), options.pause());
            return new CleanupRun(maintenance, options, batches).run();
        }
    }

    private Duration runAndSchedule() {
        try {
            if (runOnce().outcome() != RunOutcome.STOPPED) {
                return options.checkEvery();
            }
        } catch (RuntimeException failure) {
            listener.failed(TASK, failure);
        }
        return shorter(RETRY_AFTER_FAILURE, options.checkEvery());
    }

    static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Ends a run after the batch at hand, and releases the task. Idempotent. */
    @Override
    public void close() {
        thread.close();
    }
}
