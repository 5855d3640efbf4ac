package dev.postrider.testkit;

import dev.postrider.spi.RelayStore.Released;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.InMemoryTables.DelayedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The delayed table in memory. */
final class InMemoryDelayed {

    private final InMemoryTables tables;

    InMemoryDelayed(InMemoryTables tables) {
        this.tables = tables;
    }

    Released release(Set<Integer> lanes, int limit) {
        return tables.run("delayed.release", () -> {
            Instant now = tables.now();
            List<DelayedRow> due = tables.delayed.stream()
                    .filter(row -> lanes.contains(row.lane()) && !row.dueAt().isAfter(now))
                    .sorted(Comparator.comparing(DelayedRow::dueAt))
                    .limit(limit)
                    .toList();
            due.forEach(this::release);
            return new Released(due.size(), nextDueIn(lanes, now));
        });
    }

    private void release(DelayedRow row) {
        tables.delayed.remove(row);
        RowRef ref = new RowRef(row.lane(), tables.drawSeq(), row.id());
        tables.hot(row.lane()).put(ref.seq(), new StoredRow(ref, row.message(), row.createdAt()));
    }

    private Optional<Duration> nextDueIn(Set<Integer> lanes, Instant now) {
        return tables.delayed.stream()
                .filter(row -> lanes.contains(row.lane()))
                .map(DelayedRow::dueAt)
                .min(Comparator.naturalOrder())
                .map(due -> due.isBefore(now) ? Duration.ZERO : Duration.between(now, due));
    }
}
