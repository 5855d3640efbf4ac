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

    private final Deque<DatedSnapshot> newestFirst = new ArrayDeque<>();

    private record DatedSnapshot(Snapshot snapshot, Instant time) {}

    /** The newest is always kept; those before it only at a distance. */
    void add(Snapshot snapshot, Instant time) {
        if (isNewestClose()) {
            newestFirst.removeFirst();
        }
        newestFirst.addFirst(new DatedSnapshot(snapshot, time));
        thinOut();
    }

    private boolean isNewestClose() {
        Iterator<DatedSnapshot> snapshots = newestFirst.iterator();
        if (newestFirst.size() < 2) {
            return false;
        }
        Instant newest = snapshots.next().time();
        return newest.isBefore(snapshots.next().time().plus(SPACING));
    }

    /** The newest snapshot that was taken at that time or before. */
    Optional<Snapshot> takenBy(Instant time) {
        return newestFirst.stream()
                .filter(dated -> !dated.time().isAfter(time))
                .findFirst()
                .map(DatedSnapshot::snapshot);
    }

    void clear() {
        newestFirst.clear();
    }

    /** Drops every second one: bounded, and the older the coarser. */
    private void thinOut() {
        if (newestFirst.size() > MAX_SIZE) {
            boolean keep = true;
            for (Iterator<DatedSnapshot> snapshots = newestFirst.iterator(); snapshots.hasNext(); keep = !keep) {
                snapshots.next();
                if (!keep) {
                    snapshots.remove();
                }
            }
        }
    }
}
