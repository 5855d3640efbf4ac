package dev.postrider.store.existing;

import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import dev.postrider.store.existing.Claims.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Records outcomes in the table itself: a failed row stays in it, or goes to the table in which such rows wait. */
final class ExistingSettlements implements Settlements {

    private final StoreParts parts;
    private final Consumer<Lease> fence;

    ExistingSettlements(StoreParts parts, Consumer<Lease> fence) {
        this.parts = parts;
        this.fence = fence;
    }

    @Override
    public void delete(List<RowRef> delivered) {
        List<Settled> settled = new ArrayList<>();
        delivered.forEach(ref -> parts.taken()
                .find(ref)
                .ifPresent(taken -> settled.add(new Settled(taken, new RowOutcome.Delivered()))));
        settle(settled, Optional.empty());
    }

    @Override
    public void apply(Lease lease, List<RowOutcome> outcomes) {
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
