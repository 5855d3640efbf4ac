package dev.postrider.store.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * Snapshots of the recent past with the database's time, a few per second.
 *
 * <p>A row says when it was inserted, never when it was committed; an old snapshot that sees it does.
 */
final class SnapshotHistory {

    private static final Duration SPACING = Duration.ofMillis(250);
    private static final int MAX_SIZE = 240;

    private final Deque<Entry> newestFirst = new ArrayDeque<>();

    private record Entry(Snapshot snapshot, Instant time) {}

    void add(Snapshot snapshot, Instant time) {
        if (newestFirst.isEmpty()
                || !time.isBefore(newestFirst.getFirst().time().plus(SPACING))) {
            newestFirst.addFirst(new Entry(snapshot, time));
            thinOut();
        }
    }

    /** The newest snapshot that was taken at that time or before. */
    Optional<Snapshot> takenBy(Instant time) {
        return newestFirst.stream()
                .filter(entry -> !entry.time().isAfter(time))
                .findFirst()
                .map(Entry::snapshot);
    }

    void clear() {
        newestFirst.clear();
    }

    /** Drops every second entry: bounded, and the older the coarser. */
    private void thinOut() {
        if (newestFirst.size() > MAX_SIZE) {
            boolean keep = false;
            for (Iterator<Entry> entries = newestFirst.iterator(); entries.hasNext(); keep = !keep) {
                entries.next();
                if (!keep) {
                    entries.remove();
                }
            }
        }
    }
}
