package dev.postrider.testkit;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scan that returns each row once: as unforgiving as the fastest real ones, so that a relay that forgets a row is caught.
 */
final class InMemoryScan implements LaneScan {

    private final InMemoryTables tables;
    private final Map<Integer, Set<Long>> returned = new HashMap<>();
    private final Set<Integer> lanesWithPassedOver = new HashSet<>();
    private int incarnation;

    InMemoryScan(InMemoryTables tables) {
        this.tables = tables;
        this.incarnation = tables.incarnation;
    }

    @Override
    public void add(TakenLane lane) {
        Set<Long> settled = lane.savedPosition().map(InMemoryScan::parse).orElseGet(HashSet::new);
        returned.put(lane.lease().lane(), settled);
        lanesWithPassedOver.remove(lane.lease().lane());
    }

    private static Set<Long> parse(String position) {
        return Stream.of(position.split(" ", -1))
                .filter(seq -> !seq.isEmpty())
                .map(Long::valueOf)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Set<Long> returned(int lane) {
        return requireNonNull(returned.get(lane));
    }

    @Override
    public void remove(int lane) {
        returned.remove(lane);
    }

    @Override
    public void restart(int lane) {
        returned.put(lane, new HashSet<>());
        lanesWithPassedOver.remove(lane);
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        synchronized (tables) {
            return incarnation == tables.incarnation ? page(request) : startAnew();
        }
    }

    private Fetched page(FetchRequest request) {
        return tables.run("scan.fetch", () -> {
            List<OutboxRow> rows = new ArrayList<>();
            boolean more = new Page(request, rows).fill();
            return new Fetched(rows, more, false, tables.now());
        });
    }

    /** Nothing is forgotten before the answer is known. */
    private Fetched startAnew() {
        Fetched answer = tables.run("scan.startAnew", () -> new Fetched(List.of(), true, true, tables.now()));
        incarnation = tables.incarnation;
        List.copyOf(returned.keySet()).forEach(this::restart);
        return answer;
    }

    private OutboxRow toRow(StoredRow row) {
        KeyState state = stateOf(row);
        return row.problem()
                .<OutboxRow>map(problem ->
                        new OutboxRow.Unreadable(row.ref(), row.message().key(), row.createdAt(), state, problem))
                .orElseGet(() -> new OutboxRow.Hot(row.ref(), row.message(), row.createdAt(), state));
    }

    private KeyState stateOf(StoredRow row) {
        Optional<String> key = row.message().key();
        if (key.isEmpty()) {
            return KeyState.FREE;
        }
        boolean isHeld = tables.held(row.ref().lane()).values().stream()
                .anyMatch(held -> held.row().message().key().equals(key));
        return isHeld ? KeyState.HELD : KeyState.FREE;
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return tables.run("scan.sweep", () -> {
            Instant newest = tables.now().minus(minAge);
            return tables.hot(lane).values().stream()
                    .filter(row -> !row.createdAt().isAfter(newest))
                    .filter(row -> !excludedTopics.contains(row.message().topic()))
                    .limit(limit)
                    .mapToLong(row -> row.ref().seq())
                    .toArray();
        });
    }

    /** Trusts the relay: whatever was returned and lies below its lowest unsettled row is never returned again. */
    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        synchronized (tables) {
            return lanesWithPassedOver.contains(lane) || incarnation != tables.incarnation
                    ? Optional.empty()
                    : Optional.of(tables.hot(lane).headMap(lowestUnsettled).keySet().stream()
                            .filter(returned(lane)::contains)
                            .map(String::valueOf)
                            .collect(Collectors.joining(" ")));
        }
    }

    /** Fills one fetch, lane by lane. */
    private final class Page {

        private final FetchRequest request;
        private final List<OutboxRow> rows;
        private long bytes;

        Page(FetchRequest request, List<OutboxRow> rows) {
            this.request = request;
            this.rows = rows;
        }

        boolean fill() {
            for (int lane : new TreeSet<>(request.lanes())) {
                for (StoredRow row : tables.hot(lane).values()) {
                    if (isWanted(lane, row) && !add(lane, row)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean isWanted(int lane, StoredRow row) {
            long seq = row.ref().seq();
            if (request.excludedTopics().contains(row.message().topic())) {
                returned(lane).add(seq);
                lanesWithPassedOver.add(lane);
            }
            return !returned(lane).contains(seq) && !request.known().contains(lane, seq);
        }

        private boolean add(int lane, StoredRow row) {
            int length = row.problem().isPresent() ? 0 : row.message().payload().length;
            if (rows.size() >= request.maxRows() || (!rows.isEmpty() && bytes + length > request.maxBytes())) {
                return false;
            }
            bytes += length;
            returned(lane).add(row.ref().seq());
            rows.add(toRow(row));
            return true;
        }
    }
}
