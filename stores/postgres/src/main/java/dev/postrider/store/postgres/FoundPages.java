package dev.postrider.store.postgres;

import dev.postrider.store.postgres.FetchedBatch.Room;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one statement found in several lanes, each within an equal share. Immutable. */
final class FoundPages {

    private final Map<Integer, List<FoundRow>> pages = new HashMap<>();
    private final Room share;
    private final Snapshot seenIn;
    private final boolean addedUp;

    private FoundPages(Observed<List<FoundRow>> observed, Room share, boolean addedUp) {
        this.share = share;
        this.seenIn = observed.moment().snapshot();
        this.addedUp = addedUp;
        observed.value()
                .forEach(row -> pages.computeIfAbsent(row.lane(), lane -> new ArrayList<>())
                        .add(row));
        pages.values().forEach(page -> page.sort(Comparator.comparingLong(FoundRow::seq)));
    }

    /** Without the content of rows that have more than their part of the bytes. */
    static FoundPages ofSmallRows(Observed<List<FoundRow>> observed, Room share) {
        return new FoundPages(observed, share, false);
    }

    /** Without the content of rows that do not fit together with those before them. */
    static FoundPages addedUp(Observed<List<FoundRow>> observed, Room share) {
        return new FoundPages(observed, share, true);
    }

    boolean wereAddedUp() {
        return addedUp;
    }

    /**
     * The page of a lane, by seq. From the first row that did not fit, or is beyond the share, all are without content: a
     * row must not be returned before one that may be an earlier message of its key.
     */
    List<FoundRow> of(int lane) {
        List<FoundRow> page = pages.getOrDefault(lane, List.of());
        int fitting = fitting(page);
        List<FoundRow> cut = new ArrayList<>(page.subList(0, fitting));
        page.subList(fitting, page.size()).forEach(row -> cut.add(row.withoutContent()));
        return cut;
    }

    private int fitting(List<FoundRow> page) {
        int rows = 0;
        while (rows < Math.min(page.size(), share.rows()) && page.get(rows).hasContent()) {
            rows++;
        }
        return rows;
    }

    /** The snapshot in which they were read. */
    Snapshot seenIn() {
        return seenIn;
    }

    /** Whether there are rows and none of them fits. */
    boolean haveOnlyLargeRows() {
        return !pages.isEmpty() && pages.values().stream().allMatch(page -> fitting(page) == 0);
    }

    /** Whether a row within the share was larger than its part of the bytes. */
    boolean haveLargeRows() {
        return pages.values().stream().anyMatch(this::hasLargeRow);
    }

    private boolean hasLargeRow(List<FoundRow> page) {
        return page.stream()
                .limit(share.rows())
                .anyMatch(row -> !row.hasContent() || row.payloadBytes() > share.bytesOfSmallRow());
    }
}
