package dev.postrider.testkit;

import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The held table in memory. */
final class InMemoryHeld implements HeldMessages {

    private final InMemoryTables tables;

    InMemoryHeld(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void repair(Lease lease, Ordering ordering) {
        tables.run("held.repair", () -> {
            tables.requireLease(lease);
            HeldOrder.restore(tables.held.get(lease.lane()), ordering, tables.now());
        });
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        return tables.run("held.fetchDue", () -> {
            List<OutboxRow.Held> rows = new ArrayList<>();
            Set<Integer> lanesWithHeld = new HashSet<>();
            Optional<Instant> next = Optional.empty();
            for (int lane : new TreeSet<>(request.lanes())) {
                TreeMap<Long, HeldRow> held = tables.held.get(lane);
                if (!held.isEmpty()) {
                    lanesWithHeld.add(lane);
                }
                for (HeldRow head : held.values()) {
                    if (isWanted(head, request) && head.isDue(tables.now()) && rows.size() < request.maxRows()) {
                        rows.add(head.toRow());
                        addFollowers(head, held, request, rows);
                    } else if (isWanted(head, request)
                            && !head.isBlocked()
                            && head.dueAt().isPresent()) {
                        next = earlier(next, head.dueAt().get());
                    }
                }
            }
            return new DueRows(rows, next.map(this::untilNow), lanesWithHeld, tables.now());
        });
    }

    private boolean isWanted(HeldRow row, DueRequest request) {
        return !request.known().contains(row.row().ref().lane(), row.row().ref().seq())
                && !request.excludedTopics().contains(row.row().message().topic());
    }

    private void addFollowers(
            HeldRow head, TreeMap<Long, HeldRow> held, DueRequest request, List<OutboxRow.Held> rows) {
        Object order = HeldOrder.orderOf(head, request.ordering());
        held.tailMap(head.row().ref().seq(), false).values().stream()
                .filter(row -> HeldOrder.orderOf(row, request.ordering()).equals(order))
                .limit(request.followers())
                .takeWhile(row -> isWanted(row, request) && !row.isBlocked())
                .forEach(row -> rows.add(row.toRow()));
    }

    private static Optional<Instant> earlier(Optional<Instant> first, Instant second) {
        return first.filter(instant -> instant.isBefore(second)).or(() -> Optional.of(second));
    }

    private Duration untilNow(Instant due) {
        Duration remaining = Duration.between(tables.now(), due);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    @Override
    public int adoptRetries(Lease lease, Ordering ordering, int limit) {
        return tables.run("held.adoptRetries", () -> {
            tables.requireLease(lease);
            List<DeadLetter> letters = tables.dead.get(lease.lane()).values().stream()
                    .filter(DeadLetter::retryRequested)
                    .limit(limit)
                    .toList();
            letters.forEach(this::adopt);
            HeldOrder.restore(tables.held.get(lease.lane()), ordering, tables.now());
            return letters.size();
        });
    }

    private void adopt(DeadLetter letter) {
        int lane = letter.ref().lane();
        tables.dead.get(lane).remove(letter.ref().seq());
        letter.message().key().ifPresent(tables.buriedKeys::remove);
        StoredRow row = new StoredRow(letter.ref(), letter.message(), letter.createdAt());
        tables.held
                .get(lane)
                .put(
                        letter.ref().seq(),
                        new HeldRow(row, 0, Optional.of(tables.now()), false, letter.error(), letter.firstFailedAt()));
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return tables.run("held.lanesWithRetries", () -> {
            Set<Integer> found = new TreeSet<>(lanes);
            found.removeIf(lane -> tables.dead.get(lane).values().stream().noneMatch(DeadLetter::retryRequested));
            return found;
        });
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
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
            tables.operations.add(operator + " unblocked " + count);
            return count;
        });
    }
}
