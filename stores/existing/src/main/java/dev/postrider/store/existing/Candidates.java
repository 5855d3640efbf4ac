package dev.postrider.store.existing;

import dev.postrider.store.existing.Rows.WholeRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rows that this process has seen and not yet claimed, in their order. One look at the table serves many batches, and no two workers of
 * a process try to lock the same rows.
 *
 * <p>While a lane has a row of a key, no other lane gets a later one: so one relay sends the rows of a key in their order as long as nothing fails, with
 * any number of workers. Thread-safe.
 */
final class Candidates {

    private static final int BATCHES_AHEAD = 4;
    private static final int FEWEST_AHEAD = 1_000;
    private static final int MOST_AHEAD = 10_000;

    private final StatusFinder finder;
    private final TakenRows taken;
    private final int lanes;
    private final Map<RowKey, Candidate> waiting = new LinkedHashMap<>();
    /** What a lane is about to claim. */
    private final Map<Integer, List<Candidate>> handedOut = new HashMap<>();

    private Optional<Filter> filter = Optional.empty();

    Candidates(StatusFinder finder, TakenRows taken, int lanes) {
        this.finder = finder;
        this.taken = taken;
        this.lanes = lanes;
    }

    /**
     * A row that may be claimed.
     *
     * @param bytes how many its large columns have
     * @param whole the row, if the look has read all of it
     */
    record Candidate(RowKey key, Optional<String> messageKey, long bytes, Optional<WholeRow> whole) {}

    /**
     * What a lane gets.
     *
     * @param isMore whether there is more for it that was seen already
     */
    record Handed(List<Candidate> rows, boolean isMore) {}

    /** What rows were looked for: those of another look are not these. */
    private record Filter(Set<String> excludedTopics, Set<RowKey> skipped, RowQuery.Reach reach) {
        static Filter of(RowQuery find) {
            return new Filter(Set.copyOf(find.excludedTopics()), Set.copyOf(find.skipped()), find.reach());
        }
    }

    /**
     * The next rows for this lane, which it must claim now, and then say so by {@link #claimed}; looks at the table if it has too few.
     *
     * @param connection of a transaction that has locked nothing yet
     */
    synchronized Handed next(Connection connection, int lane, RowQuery find, long maxBytes) throws SQLException {
        int ahead = Math.min(MOST_AHEAD, Math.max(FEWEST_AHEAD, BATCHES_AHEAD * lanes * find.limit()));
        Optional<Filter> wanted = Optional.of(Filter.of(find));
        if (!wanted.equals(filter)) {
            waiting.clear();
            filter = wanted;
        }
        Handed next = handOut(lane, find.limit(), maxBytes);
        if (next.rows().isEmpty() && waiting.size() <= ahead / 2) {
            look(connection, find, ahead);
            next = handOut(lane, find.limit(), maxBytes);
        }
        handedOut.put(lane, next.rows());
        return next;
    }

    /** The lane has claimed what it got, or could not. */
    synchronized void claimed(int lane) {
        handedOut.remove(lane);
    }

    private void look(Connection connection, RowQuery find, int ahead) throws SQLException {
        Set<RowKey> known = taken.keys();
        handedOut.values().forEach(some -> some.forEach(one -> known.add(one.key())));
        waiting.clear();
        for (Candidate candidate : finder.candidates(find, ahead + known.size()).list(connection, finder::candidate)) {
            if (!known.contains(candidate.key())) {
                waiting.put(candidate.key(), candidate);
            }
        }
    }

    private Handed handOut(int lane, int maxRows, long maxBytes) {
        Set<String> busy = keysOfOthers(lane);
        List<Candidate> next = new ArrayList<>();
        long bytes = 0;
        Iterator<Candidate> left = waiting.values().iterator();
        while (left.hasNext() && next.size() < maxRows) {
            Candidate candidate = left.next();
            if (candidate.messageKey().filter(busy::contains).isPresent()) {
                continue;
            }
            bytes += candidate.bytes();
            if (!next.isEmpty() && bytes > maxBytes) {
                return new Handed(next, true);
            }
            next.add(candidate);
            left.remove();
        }
        return new Handed(next, left.hasNext());
    }

    private Set<String> keysOfOthers(int lane) {
        Set<String> keys = taken.messageKeysOfOthers(lane);
        handedOut.forEach((other, some) -> {
            if (other != lane) {
                some.forEach(one -> one.messageKey().ifPresent(keys::add));
            }
        });
        return keys;
    }
}
