package dev.postrider.spi;

import java.util.List;

/** Records outcomes. Thread-safe; each method is one short transaction. */
public interface Settlements {

    /**
     * Deletes delivered rows of the hot table, of any lanes. Needs no fence: deleting what was delivered is right whoever
     * owns the lane by now.
     */
    void delete(List<RowRef> delivered);

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
    void apply(Lease lease, List<RowOutcome> outcomes);
}
