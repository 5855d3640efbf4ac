package dev.postrider.store.existing;

import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.store.existing.Claims.Settled;
import dev.postrider.store.jdbc.TransactionRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a relay uses of existing tables, in the order that it keeps. Records outcomes in the table itself: a failed row stays in it, or goes
 * to the table in which such rows wait.
 */
record ExistingRelayStore(StoreParts parts, Ordering ordering, Consumer<Lease> fence, TransactionRunner transactions)
        implements RelayStore {

    @Override
    public LaneScan openScan() {
        return new ExistingScan(parts, ordering);
    }

    /** Rows that wait in a table of their own come back when their retry is due. */
    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        if (!parts.rows().hasWaitTable()) {
            return new Released(0, Optional.empty());
        }
        return transactions.inTransaction(
                "return waiting rows",
                connection -> new Released(
                        parts.rows().releaseDue(connection, limit), parts.rows().nextDue(connection)));
    }

    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        List<Settled> settled = new ArrayList<>();
        delivered.forEach(ref -> parts.taken()
                .find(ref)
                .ifPresent(taken -> settled.add(new Settled(taken, new RowOutcome.Delivered()))));
        settle(settled, Optional.empty());
    }

    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        fence.accept(lease);
        List<Settled> settled = new ArrayList<>();
        List<Taken> behind = new ArrayList<>();
        for (RowOutcome each : outcomes) {
            Optional<Taken> taken = parts.taken().find(each.row());
            if (taken.isPresent() && each.outcome() instanceof RowOutcome.Behind) {
                behind.add(taken.get());
            } else if (taken.isPresent()) {
                settled.add(new Settled(taken.get(), each.outcome()));
            }
        }
        settle(settled, Optional.of(lease));
        // What waits behind a failed row stays where it is: it is not found until that one is delivered.
        parts.claims().giveBack(behind);
    }

    private void settle(List<Settled> settled, Optional<Lease> lease) {
        if (!settled.isEmpty()) {
            parts.claims().settle(settled, lease);
            settled.forEach(one -> parts.failures().note(one.taken(), one.outcome()));
        }
    }
}
