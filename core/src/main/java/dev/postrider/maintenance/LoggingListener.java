package dev.postrider.maintenance;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.spi.AuditPartitions.Partition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes the log: what changed at info, what someone should look at at warn, batches at debug. Nothing to do, no line. */
final class LoggingListener implements MaintenanceListener {

    private final Logger log;
    private final String outbox;
    private final LogThrottle throttle;

    LoggingListener(Class<?> subject, String outbox) {
        this.log = LoggerFactory.getLogger(subject);
        this.outbox = outbox;
        this.throttle = new LogThrottle(log);
    }

    @Override
    public void deleted(Expired what, int rows, long total) {
        line(log.atDebug(), "Deleted {} {}, {} so far", rows, what, total);
    }

    @Override
    public void cleanupEnded(CleanupReport report) {
        if (report.total() > 0) {
            line(
                    log.atInfo(),
                    "Deleted {} delivered messages, {} dead letters, {} dedup keys and {} records of operations in {}",
                    report.sent(),
                    report.deadLetters(),
                    report.dedupKeys(),
                    report.operations(),
                    Readable.time(report.took()));
        }
    }

    @Override
    public void partitionCreated(Partition partition) {
        line(log.atInfo(), "Created partition {} for {} to {}", partition.name(), partition.from(), partition.upTo());
    }

    @Override
    public void partitionDropped(Partition partition) {
        line(log.atInfo(), "Dropped partition {}, which ended at {}", partition.name(), partition.upTo());
    }

    @Override
    public void partitionPostponed(Partition partition) {
        line(log.atInfo(), "The audit trail is in use: partition {} is left as it is until later", partition.name());
    }

    @Override
    public void partitionsChecked(PartitionReport report) {
        if (!report.skipped().isEmpty()) {
            line(
                    log.atWarn(),
                    "Did not create {}: the tail partition holds too many rows of that time to move them while deliveries"
                            + " wait. Deliveries go on, into the tail. Raise maxMovedRows (max-moved-rows in a file) for a quiet hour, or delete old"
                            + " rows with Cleanup",
                    report.skipped());
        }
        if (!report.kept().isEmpty()) {
            line(
                    log.atWarn(),
                    "Did not drop {}, though they are too old: they hold messages that were not delivered. Deliver, retry or discard those",
                    report.kept());
        }
        if (report.deletedFromTail() > 0) {
            line(log.atInfo(), "Deleted {} old rows from the tail partition", report.deletedFromTail());
        }
    }

    @Override
    public void failed(String task, RuntimeException failure) {
        throttle.failed(
                Level.WARN,
                task,
                (level, note) -> line(
                        log.atLevel(level).setCause(LogThrottle.trace(level, failure)),
                        "Maintenance task {} failed; trying again later: {}{}",
                        task,
                        failure,
                        note));
    }

    private void line(LoggingEventBuilder event, String text, Object... arguments) {
        for (Object argument : arguments) {
            event = event.addArgument(argument);
        }
        event.setMessage(text).addKeyValue("outbox", outbox).log();
    }
}
