package dev.postrider.store.jdbc;

import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.RowOutcome.Table;
import dev.postrider.spi.RowRef;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The outcomes of one lane, by table and kind. */
record OutcomeList(List<RowOutcome> outcomes) {

    static OutcomeList of(Lease lease, List<RowOutcome> outcomes) {
        for (RowOutcome outcome : outcomes) {
            if (outcome.row().lane() != lease.lane()) {
                throw new IllegalArgumentException(
                        outcome + " belongs to lane " + outcome.row().lane() + ", the lease is for " + lease.lane());
            }
        }
        return new OutcomeList(List.copyOf(outcomes));
    }

    /** The rows of a table that have an outcome of this kind. */
    <O extends Outcome> Map<RowRef, O> of(Table table, Class<O> kind) {
        Map<RowRef, O> found = new LinkedHashMap<>();
        outcomes.stream()
                .filter(each -> each.table() == table && kind.isInstance(each.outcome()))
                .forEach(each -> found.put(each.row(), kind.cast(each.outcome())));
        return found;
    }

    /** Rows of the hot table that end up in held, with their destinations. */
    Map<RowRef, String> becomingHeld() {
        Map<RowRef, String> destinations = new HashMap<>();
        outcomes.stream()
                .filter(each -> each.table() == Table.HOT)
                .forEach(each -> each.outcome().heldFor().ifPresent(name -> destinations.put(each.row(), name)));
        return destinations;
    }

    /** Rows that are in the held table already. */
    List<RowRef> alreadyHeld() {
        return rows(each -> each.table() == Table.HELD);
    }

    /** Rows that get a due time by their outcome, whether they may keep it or not. */
    List<RowRef> becomingDue() {
        return rows(each -> each.outcome() instanceof RowOutcome.RetryLater);
    }

    /** Rows that leave the hot table. */
    List<RowRef> leavingHot() {
        return rows(each -> each.table() == Table.HOT);
    }

    /** Rows that leave the held table. */
    List<RowRef> leavingHeld() {
        return rows(
                each -> each.table() == Table.HELD && each.outcome().heldFor().isEmpty());
    }

    private List<RowRef> rows(Predicate<RowOutcome> condition) {
        return outcomes.stream().filter(condition).map(RowOutcome::row).toList();
    }
}
