package dev.postrider.store.mysql;

import dev.postrider.spi.LaneScan.FetchRequest;
import java.util.Arrays;

/**
 * The seqs that the relay holds in memory, as they were before a statement.
 *
 * <p>Copied, because a row that is settled while the statement runs would look new afterwards, and be sent twice.
 */
final class KnownSeqs {

    private final long[] sorted;

    private KnownSeqs(long[] sorted) {
        this.sorted = sorted;
    }

    static KnownSeqs of(FetchRequest request) {
        return new KnownSeqs(request.lanes().stream()
                .flatMapToLong(lane -> Arrays.stream(request.known().seqs(lane)))
                .sorted()
                .toArray());
    }

    /** Seqs are unique across lanes. */
    boolean contains(long seq) {
        return Arrays.binarySearch(sorted, seq) >= 0;
    }

    /** The highest, or the given seq if that is higher. */
    long highestAbove(long seq) {
        return sorted.length == 0 ? seq : Math.max(seq, sorted[sorted.length - 1]);
    }

    int count() {
        return sorted.length;
    }

    boolean isEmpty() {
        return sorted.length == 0;
    }
}
