package dev.postrider.service;

import dev.postrider.maintenance.CleanupBuilder;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import java.time.Duration;
import java.util.List;

/** The keys of the sections {@code cleanup} and {@code partitions}, beside the one that each requires. */
final class MaintenanceSettings {

    /** Required: how long delivered messages stay. */
    static final String RETENTION = "retention";

    /** Required: the time that one partition covers. */
    static final String PERIOD = "period";

    static final List<Setting<CleanupBuilder>> CLEANUP = List.of(
            Setting.of(
                    "include-dead",
                    ValueFormat.DURATION_FORM,
                    "dead letters stay",
                    "Deletes dead letters too that died longer ago than this.",
                    (CleanupBuilder builder, Duration value) -> builder.includeDead(value)),
            Setting.of(
                    "dedup-retention",
                    ValueFormat.DURATION_FORM,
                    "How long a dedup key is remembered.",
                    CleanupBuilder::dedupRetention),
            Setting.of(
                    "operation-retention",
                    ValueFormat.DURATION_FORM,
                    "How long the records of what operators and cleanups did stay.",
                    CleanupBuilder::operationRetention),
            Setting.of(
                    "limit",
                    ValueFormat.NUMBER,
                    "How many rows one statement deletes at most. 1 to 1000000.",
                    CleanupBuilder::limit),
            Setting.of(
                    "pause",
                    ValueFormat.DURATION_FORM,
                    "The pause after each statement. 0 to 1m.",
                    CleanupBuilder::pause),
            Setting.of(
                    "check-every",
                    ValueFormat.DURATION_FORM,
                    "How often to look. 10ms to 30d.",
                    CleanupBuilder::checkEvery));

    static final List<Setting<PartitionKeeperBuilder>> PARTITIONS = List.of(
            Setting.of(
                    "lookahead",
                    ValueFormat.DURATION_FORM,
                    "48h, 30d or 90d",
                    "How far ahead partitions are created.",
                    PartitionKeeperBuilder::lookahead),
            Setting.of(
                    RETENTION,
                    ValueFormat.DURATION_FORM,
                    "How long delivered messages stay at least; 0 drops nothing.",
                    PartitionKeeperBuilder::retention),
            Setting.of(
                    "lock-timeout",
                    ValueFormat.DURATION_FORM,
                    "How long to wait for others who use the audit trail. 1s to 1m.",
                    PartitionKeeperBuilder::lockTimeout),
            Setting.of(
                    "max-moved-rows",
                    ValueFormat.NUMBER,
                    "How many rows may be moved from the tail into a new partition.",
                    PartitionKeeperBuilder::maxMovedRows),
            Setting.of(
                    "check-every",
                    ValueFormat.DURATION_FORM,
                    "How often to look. 10ms to 30d.",
                    PartitionKeeperBuilder::checkEvery));

    private MaintenanceSettings() {}
}
