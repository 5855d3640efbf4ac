package dev.postrider.maintenance;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.AuditPartitions.Outcome;
import dev.postrider.spi.AuditPartitions.Partition;
import java.util.ArrayList;
import java.util.List;

/** One run of a partition keeper: create ahead, drop old ones, empty the tail of what is too old. */
final class PartitionRun {

    private final AuditPartitions partitions;
    private final PartitionOptions options;
    private final BatchedDelete batches;
    private final MaintenanceListener listener;
    private final List<String> created = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();
    private final List<String> postponed = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    PartitionRun(
            AuditPartitions partitions, PartitionOptions options, BatchedDelete batches, MaintenanceListener listener) {
        this.partitions = partitions;
        this.options = options;
        this.batches = batches;
        this.listener = listener;
    }

    PartitionReport run() {
        PartitionPlan plan =
                PartitionPlan.of(partitions.read(), options.period(), options.lookahead(), options.retention());
        createAll(plan.create());
        dropAll(plan.drop());
        plan.keep().forEach(listener::partitionKept);
        long deletedFromTail = deleteFromTail();
        RunOutcome outcome = batches.mayGoOn() ? RunOutcome.DONE : RunOutcome.STOPPED;
        List<String> kept = plan.keep().stream().map(Partition::name).toList();
        return new PartitionReport(outcome, created, dropped, postponed, skipped, kept, deletedFromTail);
    }

    private void createAll(List<Partition> missing) {
        for (Partition partition : missing) {
            if (!batches.mayGoOn() || !create(partition)) {
                return;
            }
        }
    }

    /** Whether to go on with the next one. */
    private boolean create(Partition partition) {
        Outcome outcome = partitions.create(partition, options.lockTimeout(), options.maxMovedRows());
        switch (outcome) {
            case DONE -> {
                created.add(partition.name());
                listener.partitionCreated(partition);
            }
            case TOO_MANY_ROWS -> {
                skipped.add(partition.name());
                listener.partitionSkipped(partition);
            }
            case BUSY -> postpone(partition);
        }
        return outcome != Outcome.BUSY;
    }

    private void dropAll(List<Partition> expired) {
        for (Partition partition : expired) {
            if (!batches.mayGoOn() || !drop(partition)) {
                return;
            }
        }
    }

    private boolean drop(Partition partition) {
        if (partitions.drop(partition, options.lockTimeout()) != Outcome.DONE) {
            postpone(partition);
            return false;
        }
        dropped.add(partition.name());
        listener.partitionDropped(partition);
        return true;
    }

    /** Every wait for a lock makes the relays wait behind it, so one that failed is enough for now. */
    private void postpone(Partition partition) {
        postponed.add(partition.name());
        listener.partitionPostponed(partition);
    }

    private long deleteFromTail() {
        return options.retention().isZero()
                ? 0
                : batches.untilDone(Expired.TAIL, limit -> partitions.deleteFromTail(options.retention(), limit));
    }
}
