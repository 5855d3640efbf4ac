package dev.postrider.maintenance;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Creates partitions of the audit trail ahead of time and drops those that are older than the retention.
 *
 * <p>Dropping a partition costs the same however many rows it has, where {@link Cleanup} would delete them one by one. Only
 * delivered messages are in the audit trail: no undelivered one can be dropped or hidden. A message delivered at a time that
 * has no partition goes to the tail partition, which always exists and is never dropped; what gets too old there is deleted.
 * Waiting for locks is bounded, since relays wait behind it; what could not be done is tried again a minute later.
 *
 * <p>Any number of instances may be started for one outbox: one at a time works. Times are the database's, periods are in UTC.
 * Thread-safe; started once and closed once.
 *
 * <pre>{@code
 * try (PartitionKeeper keeper = PartitionKeeper.builder(store, PartitionPeriod.DAY)
 *         .retention(Duration.ofDays(30))
 *         .build()) {
 *     keeper.start();
 *     …
 * }
 * }</pre>
 */
public final class PartitionKeeper implements AutoCloseable {

    static final String TASK = "partitions";

    private static final Duration RETRY_AFTER_FAILURE = Duration.ofMinutes(1);
    private static final int TAIL_BATCH = 10_000;
    private static final Duration TAIL_PAUSE = Duration.ofMillis(50);

    private final Maintenance maintenance;
    private final AuditPartitions partitions;
    private final PartitionOptions options;
    private final MaintenanceListener listener;
    private final StopSignal stop = new StopSignal();
    private final MaintenanceThread thread = new MaintenanceThread(TASK, stop, this::runAndSchedule);

    PartitionKeeper(
            Maintenance maintenance,
            AuditPartitions partitions,
            PartitionOptions options,
            MaintenanceListener listener) {
        this.maintenance = maintenance;
        this.partitions = partitions;
        this.options = options;
        this.listener = listener;
    }

    /** A keeper of this outbox's audit trail, which must be partitioned by range. */
    public static PartitionKeeperBuilder builder(OutboxStore store, PartitionPeriod period) {
        return new PartitionKeeperBuilder(store, period);
    }

    /**
     * Checks that the audit trail is partitioned as it must be; then looks at once and at every interval, on a thread of its
     * own.
     *
     * @throws dev.postrider.spi.StoreException when it is not; it says what to do, and nothing was started
     */
    public void start() {
        partitions.read();
        thread.start();
    }

    /**
     * Creates and drops once, on the calling thread: for tests and for cron. Does nothing while another runner is at work,
     * this object's own thread included.
     *
     * @throws dev.postrider.spi.StoreException when the audit trail is not partitioned as it must be, or a statement failed
     */
    public PartitionReport runOnce() {
        PartitionReport report = runIfFree();
        listener.partitionsChecked(report);
        return report;
    }

    private PartitionReport runIfFree() {
        Optional<TaskLease> taken = TaskLease.take(maintenance, TASK, options.lease());
        if (taken.isEmpty()) {
            return PartitionReport.elsewhere();
        }
        try (TaskLease lease = taken.get()) {
            BatchedDelete batches = new BatchedDelete(lease, stop, listener, TAIL_BATCH, TAIL_PAUSE);
            return new PartitionRun(partitions, options, batches, listener).run();
        }
    }

    private Duration runAndSchedule() {
        try {
            PartitionReport report = runOnce();
            if (report.outcome() != RunOutcome.STOPPED && report.postponed().isEmpty()) {
                return options.checkEvery();
            }
        } catch (RuntimeException failure) {
            listener.failed(TASK, failure);
        }
        return Cleanup.shorter(RETRY_AFTER_FAILURE, options.checkEvery());
    }

    /** Ends a run after the statement at hand, and releases the task. Idempotent. */
    @Override
    public void close() {
        thread.close();
    }
}
