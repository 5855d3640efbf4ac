package dev.postrider.store.postgres;

import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.OutboxRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rows of one fetch, collected over several transactions until the limits of the request are reached. */
final class FetchedBatch {

    private static final Comparator<OutboxRow> BY_LANE_AND_SEQ =
            Comparator.comparingInt(OutboxRow::lane).thenComparingLong(OutboxRow::seq);

    private final FetchRequest request;
    private final List<OutboxRow> rows = new ArrayList<>();
    private long bytesLeft;
    private boolean somethingLeftOut;

    FetchedBatch(FetchRequest request) {
        this.request = request;
        this.bytesLeft = request.maxBytes();
    }

    /**
     * What still fits.
     *
     * @param evenOne whether a single row fits that is larger than the bytes that are left
     */
    record Room(int rows, long bytes, boolean evenOne) {

        /** An equal share for each of several parts; only one part alone may get a row that does not fit. */
        Room dividedBy(int parts) {
            return new Room(rows / parts, bytes / parts, evenOne && parts == 1);
        }

        /** The size up to which all rows that a page may find fit together. */
        long bytesOfSmallRow() {
            return bytes / (rows + 1);
        }
    }

    Room room() {
        return new Room(request.maxRows() - rows.size(), bytesLeft, rows.isEmpty());
    }

    Set<String> excludedTopics() {
        return request.excludedTopics();
    }

    /** The known rows of a lane from this seq on. */
    List<Long> known(int lane, long fromSeq) {
        List<Long> seqs = new ArrayList<>();
        for (long seq : request.known().seqs(lane)) {
            if (seq >= fromSeq) {
                seqs.add(seq);
            }
        }
        return seqs;
    }

    boolean wants(int lane) {
        return request.lanes().contains(lane);
    }

    /** Takes the rows that came with their content, except known ones. */
    void add(List<FoundRow> found) {
        for (FoundRow row : found) {
            somethingLeftOut |= row.content().isEmpty();
            if (!request.known().contains(row.lane(), row.seq())) {
                row.content().ifPresent(this::add);
            }
        }
    }

    private void add(OutboxRow row) {
        rows.add(row);
        bytesLeft -= row instanceof OutboxRow.Hot hot ? hot.message().payload().length : 0;
    }

    boolean isFull() {
        return somethingLeftOut || rows.size() >= request.maxRows();
    }

    boolean isHalfFull() {
        return rows.size() > request.maxRows() / 2 || bytesLeft < request.maxBytes() / 2;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    Set<Integer> lanes() {
        Set<Integer> lanes = new HashSet<>();
        rows.forEach(row -> lanes.add(row.lane()));
        return lanes;
    }

    /** By seq within each lane, whichever transaction brought them: that is the order of every key. */
    List<OutboxRow> rows() {
        rows.sort(BY_LANE_AND_SEQ);
        return rows;
    }
}
