package dev.postrider.maintenance;

import dev.postrider.spi.AuditPartitions.Layout;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What is missing and what is too old, as a pure function of what there is.
 *
 * @param create in order of time
 * @param drop in order of time
 * @param keep too old as well, but not to be dropped
 */
record PartitionPlan(List<Partition> create, List<Partition> drop, List<Partition> keep) {

    /**
     * Covers the time from the start of the present period to the end of the lookahead, also where existing partitions leave
     * gaps. Drops what ended at least the retention ago; a retention of zero drops nothing.
     *
     * @throws StoreException when a name is needed that an existing partition has
     */
    static PartitionPlan of(Layout layout, PartitionPeriod period, Duration lookahead, Duration retention) {
        Instant now = layout.databaseTime();
        return new PartitionPlan(
                missing(layout, period, lookahead),
                expired(layout.partitions(), now, retention),
                expired(layout.kept(), now, retention));
    }

    private static List<Partition> missing(Layout layout, PartitionPeriod period, Duration lookahead) {
        Instant end = layout.databaseTime().plus(lookahead);
        List<Partition> missing = new ArrayList<>();
        Instant start = period.startOf(layout.databaseTime());
        do {
            Instant next = period.next(start);
            addGaps(layout, period, start, next, missing);
            start = next;
        } while (start.isBefore(end));
        return missing;
    }

    /** What the existing partitions leave uncovered between two moments: all, nothing, or pieces. */
    private static void addGaps(
            Layout layout, PartitionPeriod period, Instant start, Instant end, List<Partition> missing) {
        Instant covered = start;
        for (Partition partition : layout.partitions()) {
            if (partition.from().isBefore(end) && partition.upTo().isAfter(covered)) {
                if (partition.from().isAfter(covered)) {
                    missing.add(named(layout, period, covered, partition.from()));
                }
                covered = partition.upTo();
            }
        }
        if (covered.isBefore(end)) {
            missing.add(named(layout, period, covered, end));
        }
    }

    private static Partition named(Layout layout, PartitionPeriod period, Instant from, Instant upTo) {
        String name = layout.namePrefix() + period.label(from, upTo);
        if (layout.tail().equals(name)
                || layout.partitions().stream().anyMatch(other -> other.name().equals(name))) {
            throw new StoreException(
                    "Partition %s is needed for %s to %s, but another partition of the audit trail has that name; rename or drop it"
                            .formatted(name, from, upTo));
        }
        return new Partition(name, from, upTo);
    }

    private static List<Partition> expired(List<Partition> all, Instant now, Duration retention) {
        if (retention.isZero()) {
            return List.of();
        }
        Instant limit = now.minus(retention);
        return all.stream()
                .filter(partition -> !partition.upTo().isAfter(limit))
                .toList();
    }
}
