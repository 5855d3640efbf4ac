package dev.postrider.testkit;

import dev.postrider.spi.HeldMessages.HeldHead;
import dev.postrider.spi.HeldMessages.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

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

    List<HeldHead> heads(int limit) {
        return tables.run(
                "held.heads",
                () -> tables.held.values().stream()
                        .flatMap(lane -> lane.values().stream())
                        .filter(HeldRow::isHead)
                        .limit(limit)
                        .map(row -> row.toHead(tables.now()))
                        .toList());
    }

    List<Waiting> waiting() {
        return tables.run(
                "held.waiting",
                () -> Waiting.group(tables.held.values().stream()
                        .flatMap(lane -> lane.values().stream())
                        .flatMap(row -> row.toWaiting().stream())));
    }
}
