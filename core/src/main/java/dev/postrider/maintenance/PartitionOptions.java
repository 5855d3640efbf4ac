package dev.postrider.maintenance;

import java.time.Duration;

/** The checked options of a partition keeper; {@link PartitionKeeperBuilder} documents each. */
record PartitionOptions(
        PartitionPeriod period,
        Duration lookahead,
        Duration retention,
        Duration lockTimeout,
        int maxMovedRows,
        Duration checkEvery,
        Duration lease) {}
