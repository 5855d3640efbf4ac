package dev.postrider.micrometer;

import dev.postrider.maintenance.Expired;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.spi.AuditPartitions.Partition;
import io.micrometer.core.instrument.Counter;
import java.util.Locale;

/** Counts what maintenance does. Thread-safe. */
final class MaintenanceMeters implements MaintenanceListener {

    private final Meters meters;
    private final Counter created;
    private final Counter dropped;
    private final Counter postponed;
    private final Counter skipped;
    private final Counter failures;

    MaintenanceMeters(Meters meters) {
        this.meters = meters;
        this.created = meters.counter(PostriderMeter.PARTITIONS, "created");
        this.dropped = meters.counter(PostriderMeter.PARTITIONS, "dropped");
        this.postponed = meters.counter(PostriderMeter.PARTITIONS, "postponed");
        this.skipped = meters.counter(PostriderMeter.PARTITIONS, "skipped");
        this.failures = meters.counter(PostriderMeter.MAINTENANCE_FAILURES);
    }

    @Override
    public void deleted(Expired what, int rows, long total) {
        meters.counter(PostriderMeter.CLEANED, what.name().toLowerCase(Locale.ROOT))
                .increment(rows);
    }

    @Override
    public void partitionCreated(Partition partition) {
        created.increment();
    }

    @Override
    public void partitionDropped(Partition partition) {
        dropped.increment();
    }

    @Override
    public void partitionPostponed(Partition partition) {
        postponed.increment();
    }

    @Override
    public void partitionSkipped(Partition partition) {
        skipped.increment();
    }

    @Override
    public void failed(String task, RuntimeException failure) {
        failures.increment();
    }
}
