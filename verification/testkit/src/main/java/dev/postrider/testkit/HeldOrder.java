package dev.postrider.testkit;

import dev.postrider.spi.Ordering;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rule of the held table: only the lowest row of each order has a due time. */
final class HeldOrder {

    private HeldOrder() {}

    static void restore(TreeMap<Long, HeldRow> lane, Ordering ordering, Instant now) {
        Set<Object> seen = new HashSet<>();
        lane.replaceAll((seq, row) -> {
            boolean isHead = seen.add(orderOf(row, ordering));
            if (!isHead) {
                return row.withDue(Optional.empty());
            }
            return row.dueAt().isPresent() ? row : row.withDue(Optional.of(now));
        });
    }

    /** Rows with equal results keep one order; a row without order is alone. */
    static Object orderOf(HeldRow row, Ordering ordering) {
        return switch (ordering) {
            case GLOBAL -> "";
            case PER_KEY ->
                row.line().<Object>map(line -> line).orElse(row.row().ref());
            case NONE -> row.row().ref();
        };
    }
}
