package dev.postrider.testkit;

import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.RowRef;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The held table in memory, as operators see it. */
record InMemoryHeldOperations(InMemoryTables tables) {

    int unblock(Optional<String> key, String operator) {
        return tables.run("held.unblock", () -> {
            int count = 0;
            for (TreeMap<Long, HeldRow> lane : tables.held.values()) {
                for (HeldRow row : List.copyOf(lane.values())) {
                    if (row.isBlocked()
                            && (key.isEmpty() || row.row().message().key().equals(key))) {
                        lane.put(row.row().ref().seq(), row.unblocked(tables.now()));
                        count++;
                    }
                }
            }
            tables.record(operator, "unblock", key.map(k -> "key=" + k).orElse("all"), count);
            return count;
        });
    }

    boolean retry(RowRef ref, String operator) {
        return tables.run("held.retry", () -> {
            Optional<HeldRow> found = find(ref).filter(row -> row.waits(tables.now()) && !row.isBlocked());
            found.ifPresent(row -> {
                tables.held(ref.lane()).put(ref.seq(), row.withDue(Optional.of(tables.now())));
                tables.record(operator, "retry held", "id=" + ref.id(), 1);
            });
            return found.isPresent();
        });
    }

    boolean discard(RowRef ref, String operator) {
        return tables.run("held.discard", () -> {
            Optional<HeldRow> found = find(ref).filter(row -> row.waits(tables.now()) || row.isBlocked());
            found.ifPresent(row -> {
                TreeMap<Long, HeldRow> lane = tables.held(ref.lane());
                boolean wasFirst = lane.firstKey() == ref.seq();
                lane.remove(ref.seq());
                successor(lane, row, wasFirst)
                        .filter(next -> !next.isHead() && next.destination().isPresent())
                        .ifPresent(next -> lane.put(next.row().ref().seq(), next.withDue(Optional.of(tables.now()))));
                tables.record(operator, "discard held", "id=" + ref.id(), 1);
            });
            return found.isPresent();
        });
    }

    /** As the stores of databases: with one lane, what has no time of its own may follow whatever was the first. */
    private Optional<HeldRow> successor(TreeMap<Long, HeldRow> lane, HeldRow discarded, boolean wasFirst) {
        Optional<HeldRow> first = lane.values().stream().findFirst();
        if (wasFirst
                && tables.lanes.size() == 1
                && first.filter(row -> row.dueAt().isEmpty()).isPresent()) {
            return first;
        }
        return lane.values().stream()
                .filter(row -> row.line().isPresent() && row.line().equals(discarded.line()))
                .findFirst();
    }

    private Optional<HeldRow> find(RowRef ref) {
        return Optional.ofNullable(tables.held(ref.lane()).get(ref.seq()))
                .filter(row -> row.row().ref().equals(ref));
    }

    HeldReport report(int maxHeads) {
        return tables.run(
                "held.report",
                () -> new HeldReport(
                        rows().filter(HeldRow::isHead)
                                .limit(maxHeads)
                                .map(row -> row.toHead(tables.now()))
                                .toList(),
                        Waiting.group(rows().flatMap(row -> row.toWaiting().stream()))));
    }

    private Stream<HeldRow> rows() {
        return tables.held.values().stream().flatMap(lane -> lane.values().stream());
    }
}
