package dev.postrider.store.jdbc;

import dev.postrider.spi.Change;
import dev.postrider.spi.Lease;
import dev.postrider.spi.RowRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The changes of one lane, by kind. */
record ChangeList(List<Change> changes) {

    static ChangeList of(Lease lease, List<Change> changes) {
        for (Change change : changes) {
            if (change.row().lane() != lease.lane()) {
                throw new IllegalArgumentException(
                        change + " belongs to lane " + change.row().lane() + ", the lease is for " + lease.lane());
            }
        }
        return new ChangeList(List.copyOf(changes));
    }

    <C extends Change> List<C> of(Class<C> kind) {
        return of(kind, change -> true);
    }

    <C extends Change> List<C> of(Class<C> kind, Predicate<C> condition) {
        return changes.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(condition)
                .toList();
    }

    /** Rows of the hot table that end up in held, with their destinations. */
    Map<RowRef, String> becomingHeld() {
        Map<RowRef, String> destinations = new HashMap<>();
        of(Change.Hold.class).forEach(hold -> destinations.put(hold.row(), hold.destination()));
        of(Change.HoldBehind.class).forEach(hold -> destinations.put(hold.row(), hold.destination()));
        of(Change.Block.class, block -> !block.held())
                .forEach(block -> destinations.put(block.row(), block.destination()));
        return destinations;
    }

    /** Rows that are in the held table already. */
    List<RowRef> alreadyHeld() {
        return refs(ChangeList::isHeld);
    }

    /** Rows that get a due time by their change, whether they may keep it or not. */
    List<RowRef> becomingDue() {
        return refs(change -> change instanceof Change.Hold || change instanceof Change.HoldAgain);
    }

    /** Rows that leave the hot table. */
    List<RowRef> leavingHot() {
        return refs(change -> !isHeld(change));
    }

    /** Rows that leave the held table. */
    List<RowRef> leavingHeld() {
        return refs(change -> isHeld(change) && !endsInHeld(change));
    }

    private List<RowRef> refs(Predicate<Change> condition) {
        return refs(changes.stream().filter(condition).toList());
    }

    private static boolean isHeld(Change change) {
        if (change instanceof Change.Bury bury) {
            return bury.held();
        }
        if (change instanceof Change.Block block) {
            return block.held();
        }
        return change instanceof Change.HoldAgain || change instanceof Change.DeliverHeld;
    }

    private static boolean endsInHeld(Change change) {
        return change instanceof Change.Hold
                || change instanceof Change.HoldBehind
                || change instanceof Change.HoldAgain
                || change instanceof Change.Block;
    }

    static List<RowRef> refs(List<? extends Change> changes) {
        return changes.stream().map(Change::row).toList();
    }
}
