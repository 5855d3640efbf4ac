package dev.postrider.store.postgres;

import dev.postrider.store.postgres.LaneProgress.AtHead;
import dev.postrider.store.postgres.LaneProgress.Open;
import dev.postrider.store.postgres.LaneProgress.Saved;
import dev.postrider.store.postgres.LaneProgress.Window;
import dev.postrider.store.postgres.ScanQueries.Claim;
import dev.postrider.store.postgres.ScanQueries.Piece;
import dev.postrider.store.postgres.ScanQueries.Since;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One lane in the memory of a scan: what to read of it next, and what the result means. */
final class ScannedLane {

    private final int number;
    private final Set<String> passedOver = new HashSet<>();
    private LaneProgress progress;
    private boolean needsAllRoom;

    ScannedLane(int number, Optional<SavedPosition> position) {
        this.number = number;
        this.progress = position.<LaneProgress>map(Saved::new).orElseGet(AtHead::new);
    }

    int number() {
        return number;
    }

    /** Whether its next rows are read by seq, a page at a time; otherwise by difference of snapshots. */
    boolean isPaged() {
        return progress instanceof AtHead || progress instanceof Window;
    }

    /** Whether its next row was too large for a share of the room, so that it must be read alone. */
    boolean needsAllRoom() {
        return needsAllRoom;
    }

    /** The next page of a paged lane. */
    Piece nextPiece() {
        return progress instanceof Window window
                ? new Piece(number, window.nextSeq(), Optional.of(window.to()), window.after())
                : new Piece(number, Long.MIN_VALUE, Optional.empty(), Optional.empty());
    }

    /** The next difference of a lane that is not paged. */
    Since nextDifference() {
        return progress instanceof Saved saved
                ? new Since(number, saved.position().seen(), saved.position().lowSeq())
                : new Since(number, ((Open) progress).seen(), Long.MAX_VALUE);
    }

    /**
     * A page was read: rows with content are to be returned, the others are left for the next page. Rows that were left out by
     * their own bytes, whatever the room, may fit the next time.
     *
     * @return the page
     */
    List<FoundRow> pageRead(FoundPages found) {
        List<FoundRow> page = found.of(number);
        Snapshot to = progress instanceof Window window ? window.to() : found.seenIn();
        Optional<Snapshot> after = progress instanceof Window window ? window.after() : Optional.empty();
        needsAllRoom = found.wereAddedUp() && !page.isEmpty() && page.stream().noneMatch(FoundRow::hasContent);
        progress = page.stream()
                .filter(row -> !row.hasContent())
                .map(FoundRow::seq)
                .min(Long::compare)
                .<LaneProgress>map(firstLeft -> new Window(after, to, firstLeft))
                .orElseGet(() -> new Open(to));
        return page;
    }

    /** The difference to this snapshot was read; of what it held, rows from {@code firstLeft} on are still to be returned. */
    void differenceRead(Optional<Long> firstLeft, Snapshot now) {
        if (progress instanceof Saved saved) {
            // Of the rows below lowSeq only late ones are left, all others are settled: from here on it is like a head
            // read.
            long next = firstLeft.orElse(saved.position().lowSeq());
            progress = next == Long.MAX_VALUE ? new Open(now) : new Window(Optional.empty(), now, next);
        } else {
            Snapshot seen = ((Open) progress).seen();
            progress = firstLeft
                    .<LaneProgress>map(next -> new Window(Optional.of(seen), now, next))
                    .orElseGet(() -> new Open(now));
        }
    }

    /** Remembers that rows of these topics are not returned until the lane is read from its head again. */
    void passOver(Set<String> topics) {
        passedOver.addAll(topics);
    }

    void restart() {
        progress = new AtHead();
        passedOver.clear();
    }

    /** Drops a saved position that another incarnation of the server wrote. */
    void dropForeignPosition(String incarnation) {
        if (progress instanceof Saved saved && !saved.position().incarnation().equals(incarnation)) {
            restart();
        }
    }

    /** What a next owner may rely on; nothing once rows were passed over, since they are neither settled nor in memory. */
    Optional<SavedPosition> position(String incarnation, long lowestUnsettled) {
        if (!passedOver.isEmpty() || progress instanceof AtHead) {
            return Optional.empty();
        }
        if (progress instanceof Saved saved) {
            return Optional.of(saved.position());
        }
        if (progress instanceof Window window) {
            return Optional.of(
                    new SavedPosition(incarnation, window.to(), Math.min(lowestUnsettled, window.nextSeq())));
        }
        return Optional.of(new SavedPosition(incarnation, ((Open) progress).seen(), lowestUnsettled));
    }

    /** The rows that were all returned, unless they are gone. */
    Optional<Claim> claim() {
        if (progress instanceof Open open) {
            return Optional.of(new Claim(number, open.seen(), Long.MAX_VALUE, Optional.empty()));
        }
        return progress instanceof Window window
                ? Optional.of(new Claim(number, window.to(), window.nextSeq(), window.after()))
                : Optional.empty();
    }
}
