package dev.postrider.source;

import dev.postrider.source.Tracked.Dead;
import dev.postrider.source.Tracked.Held;
import dev.postrider.source.Tracked.Hot;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Acknowledges what was delivered, and remembers the rest. */
final class SourceSettlements<T> implements Settlements {

    private final SourceCalls<T> source;
    private final SourceMemory<T> memory;
    private final SourceLeases leases;
    private final GiveUps<T> giveUps;

    SourceSettlements(SourceCalls<T> source, SourceMemory<T> memory, SourceLeases leases, GiveUps<T> giveUps) {
        this.source = source;
        this.memory = memory;
        this.leases = leases;
        this.giveUps = giveUps;
    }

    @Override
    public void delete(List<RowRef> delivered) {
        List<Tracked<T>> found = new ArrayList<>();
        // By id alone: it was delivered, whatever seq it has by now.
        delivered.forEach(ref -> memory.find(ref.id()).ifPresent(found::add));
        acknowledge(found);
    }

    private void acknowledge(List<Tracked<T>> delivered) {
        source.acknowledge(
                delivered.stream().map(tracked -> tracked.item().value()).toList());
        delivered.forEach(tracked -> memory.forget(tracked.item().id()));
    }

    /**
     * What was delivered first, in one call; if that fails nothing is changed. Everything else happens in memory and cannot
     * fail.
     */
    @Override
    public void apply(Lease lease, Ordering ordering, List<Change> changes) {
        leases.require(lease);
        List<Tracked<T>> delivered = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.DeliverHeld) {
                memory.find(change.row(), Held.class).ifPresent(delivered::add);
            } else if (change instanceof Change.Keep) {
                memory.find(change.row(), Hot.class).ifPresent(delivered::add);
            }
        }
        acknowledge(delivered);
        changes.forEach(this::apply);
    }

    private void apply(Change change) {
        if (change instanceof Change.Hold hold) {
            hot(hold.row())
                    .ifPresent(item ->
                            hold(item, Optional.of(hold.destination()), hold.attempts(), hold.error(), hold.delay()));
        } else if (change instanceof Change.HoldBehind behind) {
            hot(behind.row()).ifPresent(item -> holdBehind(item, behind.destination()));
        } else if (change instanceof Change.HoldAgain again) {
            held(again.row())
                    .ifPresent(item -> hold(item, destination(item), again.attempts(), again.error(), again.delay()));
        } else if (change instanceof Change.Block block) {
            find(block.row(), block.held()).ifPresent(item -> block(item, block));
        } else if (change instanceof Change.Bury bury) {
            find(bury.row(), bury.held()).ifPresent(item -> bury(item, bury.reason(), bury.attempts(), bury.error()));
        }
    }

    private Optional<Tracked<T>> find(RowRef ref, boolean isHeld) {
        return isHeld ? held(ref) : hot(ref);
    }

    private Optional<Tracked<T>> hot(RowRef ref) {
        return memory.find(ref, Hot.class);
    }

    private Optional<Tracked<T>> held(RowRef ref) {
        return memory.find(ref, Held.class);
    }

    private static Optional<Instant> firstFailed(Tracked<?> tracked) {
        return tracked.standing() instanceof Held held ? held.firstFailedAt() : Optional.empty();
    }

    private static Optional<String> destination(Tracked<?> tracked) {
        return tracked.standing() instanceof Held held ? held.destination() : Optional.empty();
    }

    private void hold(Tracked<T> item, Optional<String> destination, int attempts, String error, Duration delay) {
        long dueAt = memory.nanos() + delay.toNanos();
        Optional<Instant> firstFailed = firstFailed(item).or(this::now);
        memory.change(item, new Held(destination, attempts, dueAt, false, error, firstFailed));
    }

    private void holdBehind(Tracked<T> item, String destination) {
        memory.change(item, new Held(Optional.of(destination), 0, memory.nanos(), false, "", Optional.empty()));
    }

    private void block(Tracked<T> item, Change.Block block) {
        memory.change(
                item,
                new Held(
                        Optional.of(block.destination()),
                        block.attempts(),
                        memory.nanos(),
                        true,
                        block.error(),
                        firstFailed(item).or(this::now)));
    }

    private void bury(Tracked<T> item, DeadReason reason, int attempts, String error) {
        Optional<Instant> failedNow = attempts > 0 ? now() : Optional.empty();
        giveUps.giveUp(
                item,
                new Dead(
                        reason,
                        attempts,
                        error,
                        firstFailed(item).or(() -> failedNow),
                        memory.now(),
                        false,
                        false,
                        false));
    }

    private Optional<Instant> now() {
        return Optional.of(memory.now());
    }
}
