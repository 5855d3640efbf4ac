package dev.postrider.store.existing;

import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How this process gets rows that no other has, and keeps them while it sends. Thread-safe. */
interface Claims {

    /** Whether rows may be taken for a worker that has these lanes. */
    boolean mayTake(Set<Integer> lanes);

    /** Takes rows for this lane. */
    TakenBatch take(int lane, RowQuery find, long maxBytes);

    /** Keeps the rows of this lane for longer; false if they are lost. */
    boolean prolong(int lane, Duration length);

    /** These rows were not sent, and will not be. */
    void giveBack(List<Taken> rows);

    /**
     * Records outcomes.
     *
     * @param lease to be checked, where the right to settle hangs on it; empty if all were delivered
     */
    void settle(List<Settled> settled, Optional<Lease> lease);

    /** A lane was lost. Its rows may be in flight, so they stay known until their claim ends by itself. */
    default void laneLost(int lane) {}

    /** How long leases are. */
    void leaseIs(Duration length);

    /** What every kind of claim works with. */
    record Parts<R extends Rows>(R rows, RowReader reader, TransactionRunner transactions, TakenRows taken) {}

    /** A row and what became of it. */
    record Settled(Taken taken, Outcome outcome) {}

    /** What was taken: each row with its message. */
    record TakenBatch(List<TakenRow> rows, boolean isMore) {
        static final TakenBatch NONE = new TakenBatch(List.of(), false);
    }

    /** A taken row with its message, or with the reason why it is no message. */
    record TakenRow(Taken taken, ReadRow row) {}
}
