package dev.postrider.store.mysql;

import dev.postrider.spi.RowRef;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rows with the last numbers up to the horizon. They may be delivered, but none can be added: another row there means that
 * numbers have begun again, by a TRUNCATE for example, and have passed the horizon already.
 */
final class LastNumbers {

    /** More than one, because some numbers are never used. */
    private static final int COUNT = 16;

    private long upTo;
    private Set<RowRef> rows = Set.of();
    private List<NumberRange> open = List.of();

    /** What to read now: these numbers, and those that are the last now. */
    List<NumberRange> toRead(long horizon) {
        return Stream.of(upTo, horizon)
                .distinct()
                .filter(end -> end > 0)
                .map(LastNumbers::endingAt)
                .toList();
    }

    private static NumberRange endingAt(long end) {
        return new NumberRange(end - COUNT + 1, end, 0);
    }

    /**
     * Takes note of what was read.
     *
     * @param unseen numbers up to the horizon that may still appear
     * @return whether a row is there that was not, and whose number could not appear any more
     */
    boolean areUsedAgain(List<RowRef> read, long horizon, List<NumberRange> unseen) {
        boolean isAdded = upTo > 0
                && read.stream()
                        .filter(row -> endingAt(upTo).contains(row.seq()) && !rows.contains(row))
                        .anyMatch(row -> open.stream().noneMatch(range -> range.contains(row.seq())));
        upTo = horizon;
        rows = new HashSet<>(read);
        open = unseen;
        return isAdded;
    }

    void forget() {
        upTo = 0;
        rows = Set.of();
        open = List.of();
    }
}
