package dev.postrider.store.postgres;

import java.util.Optional;

/**
 * How far the scan of one lane has come.
 *
 * <pre>
 *   AtHead ──first page──▶ Window ──last page──▶ Open ──few new rows──▶ Open
 *   Saved ──late rows──────▶  ▲                    │
 *                             └──many new rows─────┘
 * </pre>
 */
sealed interface LaneProgress {

    /** Nothing was read yet. */
    record AtHead() implements LaneProgress {}

    /** Nothing was read yet, but the previous owner's position may serve. */
    record Saved(SavedPosition position) implements LaneProgress {}

    /** All rows visible in {@code seen} were returned: what comes next is the difference to a newer snapshot. */
    record Open(Snapshot seen) implements LaneProgress {}

    /**
     * The rows visible in {@code to}, and not yet in {@code after} if that is given, are being returned by seq; those below
     * {@code nextSeq} were. The snapshot stays the same for all pages: a page that also saw later commits could return a
     * key's second row before its first, which has a lower seq and committed behind the reader's back.
     */
    record Window(Optional<Snapshot> after, Snapshot to, long nextSeq) implements LaneProgress {}
}
