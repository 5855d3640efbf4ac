package dev.postrider.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of the lanes that a relay owns, in the order that it keeps, and the record of what became of them.
 *
 * <p>Thread-safe, but for the scans; each method is one short transaction. All relays of one outbox must keep the same order ({@link
 * OutboxStore#forRelay}).
 */
public interface RelayStore {

    /** A new scan of the hot table, for one thread. */
    LaneScan openScan();

    /**
     * Deletes delivered rows of the hot table, of any lanes. Needs no fence: deleting what was delivered is right whoever
     * owns the lane by now.
     */
    void deleteDelivered(List<RowRef> delivered);

    /**
     * Records the outcomes of one lane, all or none, if the lease still holds at its epoch; the lane's row is locked in the
     * same transaction, so that a stopped relay cannot commit after its successor began.
     *
     * <p>Afterwards exactly the lowest held row of each key and destination has a due time ({@link Ordering#PER_KEY}), or that of the lane
     * ({@link Ordering#GLOBAL}), or every held row ({@link Ordering#NONE}); a row without key has one unless the order is
     * global; a blocked row is never due.
     *
     * @throws LeaseLostException and nothing was changed
     * @throws IllegalArgumentException if an outcome belongs to another lane; nothing was changed
     */
    void settle(Lease lease, List<RowOutcome> outcomes);

    /** The held table. A store that has none keeps a failed row where it is. */
    default HeldMessages held() {
        return new NoHeldMessages();
    }

    /**
     * Moves due messages of these lanes from the delayed to the hot table, by due time, each with a new seq; at most {@code limit}. Nothing
     * is ever delayed unless the store says otherwise.
     */
    default Released releaseDelayed(Set<Integer> lanes, int limit) {
        return new Released(0, Optional.empty());
    }

    /**
     * What was moved.
     *
     * @param nextDueIn how long until the next one falls due, zero if more are due now; empty when there is none
     */
    record Released(int count, Optional<Duration> nextDueIn) {}
}
