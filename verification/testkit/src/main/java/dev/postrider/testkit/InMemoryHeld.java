package dev.postrider.testkit;

import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The held table in memory. */
final class InMemoryHeld implements HeldMessages {

    private final InMemoryTables tables;
    private final Ordering ordering;

    InMemoryHeld(InMemoryTables tables, Ordering ordering) {
        this.tables = tables;
        this.ordering = ordering;
    }

    @Override
    public void repair(Lease lease, Set<String> destinations) {
        tables.run("held.repair", () -> {
            tables.requireLease(lease);
            TreeMap<Long, HeldRow> lane = tables.held(lease.lane());
            lane.replaceAll((seq, row) -> row.withDestination(row.destination().filter(destinations::contains)));
            HeldOrder.restore(lane, ordering, tables.now());
        });
    }

    @Override
    public List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes) {
        return tables.run("held.unassigned", () -> {
            List<OutboxRow.Held> rows = new ArrayList<>();
            long bytes = 0;
            for (HeldRow row : tables.held(lane).values()) {
                if (row.destination().isEmpty()) {
                    bytes += row.row().message().payload().length;
                    if (rows.size() == maxRows || (!rows.isEmpty() && bytes > maxBytes)) {
                        return rows;
                    }
                    rows.add(row.toRow());
                }
            }
            return rows;
        });
    }

    @Override
    public void assign(Lease lease, Map<RowRef, String> destinations) {
        tables.run("held.assign", () -> {
            tables.requireLease(lease);
            TreeMap<Long, HeldRow> lane = tables.held(lease.lane());
            lane.replaceAll(
                    (seq, row) -> Optional.ofNullable(destinations.get(row.row().ref()))
                            .map(name -> row.withDestination(Optional.of(name)))
                            .orElse(row));
            HeldOrder.restore(lane, ordering, tables.now());
        });
    }

    @Override
    public Set<HeldLine> occupied(Set<HeldLine> lines) {
        return tables.run(
                "held.occupied",
                () -> tables.held.values().stream()
                        .flatMap(lane -> lane.values().stream())
                        .flatMap(row -> row.line().stream())
                        .filter(lines::contains)
                        .collect(Collectors.toSet()));
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        return tables.run("held.fetchDue", () -> new DueSelection(tables, ordering, request).select());
    }

    @Override
    public int adoptRetries(Lease lease, int limit) {
        return tables.run("held.adoptRetries", () -> {
            tables.requireLease(lease);
            List<DeadLetter> letters = tables.dead(lease.lane()).values().stream()
                    .filter(DeadLetter::retryRequested)
                    .limit(limit)
                    .toList();
            letters.forEach(this::adopt);
            HeldOrder.restore(tables.held(lease.lane()), ordering, tables.now());
            return letters.size();
        });
    }

    private void adopt(DeadLetter letter) {
        int lane = letter.ref().lane();
        tables.dead(lane).remove(letter.ref().seq());
        StoredRow row = new StoredRow(letter.ref(), letter.message(), letter.createdAt());
        tables.held(lane)
                .put(
                        letter.ref().seq(),
                        new HeldRow(
                                row,
                                Optional.empty(),
                                0,
                                Optional.of(tables.now()),
                                false,
                                letter.error(),
                                letter.firstFailedAt()));
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return tables.run("held.lanesWithRetries", () -> {
            Set<Integer> found = new TreeSet<>(lanes);
            found.removeIf(lane -> tables.dead(lane).values().stream().noneMatch(DeadLetter::retryRequested));
            return found;
        });
    }
}
