/**
 * Keeps an outbox small, beside the relays: {@link dev.postrider.maintenance.Cleanup} deletes what is older than its
 * retention, {@link dev.postrider.maintenance.PartitionKeeper} creates partitions of the audit trail ahead and drops old ones.
 *
 * <p>In: an {@link dev.postrider.spi.OutboxStore}. Out: reports, and events for a
 * {@link dev.postrider.maintenance.MaintenanceListener}. Each is an object with start and close and one thread of its own;
 * across all instances a lease row lets one at a time work. Nothing here can touch an undelivered message. Start reading at
 * {@code Cleanup}.
 */
@NullMarked
package dev.postrider.maintenance;

import org.jspecify.annotations.NullMarked;
