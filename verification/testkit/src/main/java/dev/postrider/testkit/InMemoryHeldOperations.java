package dev.postrider.testkit;

import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.Waiting;
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
