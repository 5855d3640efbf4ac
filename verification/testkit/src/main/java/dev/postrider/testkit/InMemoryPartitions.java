package dev.postrider.testkit;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Partitions of the audit trail in memory: ranges of time; what lies in none of them is in the tail. */
final class InMemoryPartitions implements AuditPartitions {

    private static final Comparator<Partition> BY_TIME = Comparator.comparing(Partition::from);

    private final InMemoryTables tables;

    InMemoryPartitions(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public Layout read() {
        return tables.run(
                "partitions.read",
                () -> new Layout(
                        tables.now(), tables.partitions.stream().sorted(BY_TIME).toList(), "p_tail", ""));
    }

    @Override
    public Outcome create(Partition partition, Duration lockTimeout, int maxMovedRows) {
        return tables.run("partitions.create", () -> {
            if (tables.partitions.contains(partition)) {
                return Outcome.DONE;
            }
            if (tables.partitions.stream().anyMatch(other -> overlaps(partition, other))) {
                throw new StoreException("Partition " + partition + " overlaps another one");
            }
            long moved =
                    tables.sent.stream().filter(row -> isIn(partition, row)).count();
            if (moved > maxMovedRows) {
                return Outcome.TOO_MANY_ROWS;
            }
            tables.partitions.add(partition);
            return Outcome.DONE;
        });
    }

    private static boolean overlaps(Partition one, Partition other) {
        return one.from().isBefore(other.upTo()) && other.from().isBefore(one.upTo());
    }

    @Override
    public Outcome drop(Partition partition, Duration lockTimeout) {
        return tables.run("partitions.drop", () -> {
            if (tables.partitions.remove(partition)) {
                tables.sent.removeIf(row -> isIn(partition, row));
            }
            return Outcome.DONE;
        });
    }

    @Override
    public int deleteFromTail(Duration olderThan, int limit) {
        return tables.run("partitions.deleteFromTail", () -> {
            Instant latest = tables.now().minus(olderThan);
            Predicate<SentRow> isOld = row -> !row.deliveredAt().isAfter(latest);
            List<SentRow> expired = tables.sent.stream()
                    .filter(isOld.and(this::isInTail))
                    .limit(limit)
                    .toList();
            tables.sent.removeAll(expired);
            return expired.size();
        });
    }

    private boolean isInTail(SentRow row) {
        return tables.partitions.stream().noneMatch(partition -> isIn(partition, row));
    }

    private static boolean isIn(Partition partition, SentRow row) {
        return !row.deliveredAt().isBefore(partition.from())
                && row.deliveredAt().isBefore(partition.upTo());
    }
}
