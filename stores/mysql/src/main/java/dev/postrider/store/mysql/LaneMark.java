package dev.postrider.store.mysql;

import java.util.Optional;

/** How far one lane was read. */
final class LaneMark {

    private static final long NONE = Long.MAX_VALUE;

    private Optional<ScanPosition> saved;
    private long safe;
    private long lowestPassedOver = NONE;

    LaneMark(Optional<ScanPosition> saved) {
        this.saved = saved;
    }

    /** Every row of the lane up to here is in the relay's memory, gone, or was passed over because of its topic. */
    long safe() {
        return safe;
    }

    boolean hasSaved() {
        return saved.isPresent();
    }

    /** The position that a previous owner saved, if it was on this run of the server; only the first call returns it. */
    Optional<ScanPosition> takeSaved(Incarnation incarnation) {
        Optional<ScanPosition> usable =
                saved.filter(position -> position.incarnation().isSameAs(incarnation));
        saved = Optional.empty();
        return usable;
    }

    void moveTo(long seq) {
        safe = Math.max(safe, seq);
    }

    /** A row that was left out on purpose and still exists. */
    void passedOver(long seq) {
        lowestPassedOver = Math.min(lowestPassedOver, seq);
    }

    void restart() {
        saved = Optional.empty();
        safe = 0;
        lowestPassedOver = NONE;
    }

    /** Behind which seq its next read starts: at the head also numbers below 1 are read, which somebody must have chosen. */
    long readAfter() {
        return isAtHead() ? Long.MIN_VALUE : safe;
    }

    /** Whether its next read starts at the head. */
    boolean isAtHead() {
        return safe == 0;
    }

    /** Up to where everything is settled, given the lowest seq that is not. */
    long settledUpTo(long lowestUnsettled) {
        return Math.min(safe, Math.min(lowestUnsettled, lowestPassedOver) - 1);
    }
}
