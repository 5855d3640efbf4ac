package dev.postrider.testkit;

import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses due held rows and their followers, within the limits of one request. */
final class DueSelection {

    private final InMemoryTables tables;
    private final Ordering ordering;
    private final DueRequest request;
    private final Instant now;
    private final List<OutboxRow.Held> rows = new ArrayList<>();
    private final Set<Integer> lanesWithHeld = new HashSet<>();
    private Optional<Instant> next = Optional.empty();
    private long bytes;
    /** The rows of the lane by what they wait for; null until one is due. */
    private @Nullable Map<Object, List<HeldRow>> linesOfLane;

    DueSelection(InMemoryTables tables, Ordering ordering, DueRequest request) {
        this.tables = tables;
        this.ordering = ordering;
        this.request = request;
        this.now = tables.now();
    }

    DueRows select() {
        for (int lane : new TreeSet<>(request.lanes())) {
            TreeMap<Long, HeldRow> held = tables.held(lane);
            if (!held.isEmpty()) {
                lanesWithHeld.add(lane);
            }
            linesOfLane = null;
            held.values().forEach(row -> consider(row, held));
        }
        return new DueRows(rows, next.map(due -> Duration.between(now, due)), lanesWithHeld, now);
    }

    private void consider(HeldRow row, TreeMap<Long, HeldRow> held) {
        if (row.isBlocked() || row.dueAt().isEmpty() || !isWanted(row)) {
            return;
        }
        if (!row.isDue(now)) {
            fallsDue(row.dueAt().get());
        } else if (add(row)) {
            addFollowers(row, held);
        }
    }

    private boolean isWanted(HeldRow row) {
        return !isKnown(row)
                && row.destination()
                        .filter(name -> request.isWanted(
                                name,
                                row.row().message().topic(),
                                row.error(),
                                Duration.between(row.row().createdAt(), now)))
                        .isPresent();
    }

    private boolean isKnown(HeldRow row) {
        return request.known().contains(row.row().ref().lane(), row.row().ref().seq());
    }

    /** Stops at the first that may not go out: what follows it must wait for it. */
    private void addFollowers(HeldRow head, TreeMap<Long, HeldRow> held) {
        if (linesOfLane == null) {
            linesOfLane =
                    held.values().stream().collect(Collectors.groupingBy(row -> HeldOrder.orderOf(row, ordering)));
        }
        long seq = head.row().ref().seq();
        List<HeldRow> followers = linesOfLane.getOrDefault(HeldOrder.orderOf(head, ordering), List.of()).stream()
                .filter(row -> row.row().ref().seq() > seq)
                .limit(request.followers())
                .takeWhile(row -> !row.isBlocked())
                .filter(row -> !isKnown(row))
                .toList();
        for (HeldRow follower : followers) {
            if (!add(follower)) {
                return;
            }
        }
    }

    private boolean add(HeldRow row) {
        int length = row.row().message().payload().length;
        if (!rows.isEmpty() && (rows.size() >= request.maxRows() || bytes + length > request.maxBytes())) {
            fallsDue(now);
            return false;
        }
        rows.add(row.toRow());
        bytes += length;
        return true;
    }

    private void fallsDue(Instant due) {
        next = next.filter(earlier -> earlier.isBefore(due)).or(() -> Optional.of(due));
    }
}
