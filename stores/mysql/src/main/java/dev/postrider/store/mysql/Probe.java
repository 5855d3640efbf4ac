package dev.postrider.store.mysql;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Two looks at the same range of seqs, over all lanes.
 *
 * @param upTo the end of the range
 * @param dirty the seqs that a READ UNCOMMITTED read saw, in order
 * @param committed the rows that a committed read saw after it, in order; its range may begin lower
 */
record Probe(long upTo, List<Long> dirty, List<SeenRow> committed) {

    /** Ends the range where the first of the two looks reached its limit. */
    static Probe of(long target, List<Long> dirty, List<SeenRow> committed, int limit) {
        List<Long> inRange = dirty.stream().filter(seq -> seq <= target).toList();
        long dirtyEnd = inRange.size() < limit ? target : inRange.get(limit - 1);
        long committedEnd =
                committed.size() < limit ? target : committed.get(limit - 1).seq();
        long end = Math.min(dirtyEnd, committedEnd);
        return new Probe(end, inRange.stream().filter(seq -> seq <= end).toList(), committed);
    }

    /**
     * The seq up to which every row is committed or gone. A row that only the dirty read saw is in doubt: its transaction was
     * open then, and may commit. One that committed between the two reads is seen by both and judged as a committed one.
     */
    long safeUpTo() {
        Set<Long> visible = new HashSet<>();
        committed.forEach(row -> visible.add(row.seq()));
        for (long seq : dirty) {
            if (!visible.contains(seq)) {
                return seq - 1;
            }
        }
        return upTo;
    }
}
