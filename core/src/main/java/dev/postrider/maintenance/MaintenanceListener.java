package dev.postrider.maintenance;

import dev.postrider.spi.AuditPartitions.Partition;

/**
 * Told of what maintenance does: for metrics and alarms. The log is written without it.
 *
 * <p>Called on the thread that runs the maintenance. Whatever it throws is logged and otherwise ignored.
 */
public interface MaintenanceListener {

    /** A batch was deleted; {@code total} counts from the start of the run. */
    default void deleted(Expired what, int rows, long total) {}

    /** A cleanup ended, also one that found nothing or left the work to another instance. */
    default void cleanupEnded(CleanupReport report) {}

    /** A partition was created. */
    default void partitionCreated(Partition partition) {}

    /** A partition was dropped, with all its rows. */
    default void partitionDropped(Partition partition) {}

    /** A partition was not created or not dropped since somebody uses the table; it is tried again soon. */
    default void partitionPostponed(Partition partition) {}

    /** A partition was not created since the tail holds too many rows of its time. Deliveries go on, into the tail. */
    default void partitionSkipped(Partition partition) {}

    /** A partition that is too old was not dropped since it holds messages that were not delivered. */
    default void partitionKept(Partition partition) {}

    /** A look at the partitions ended, also one that found nothing to do or left the work to another instance. */
    default void partitionsChecked(PartitionReport report) {}

    /** A run failed; the next one starts over. */
    default void failed(String task, RuntimeException failure) {}
}
