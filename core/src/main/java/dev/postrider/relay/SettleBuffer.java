package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.PendingChange;
import dev.postrider.spi.Change;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects outcomes and records them in batches.
 *
 * <p>Delivered rows of all lanes are deleted in one unfenced statement. Everything else goes lane by lane through the fence.
 * Both are idempotent, so after a failure with unknown outcome the same is simply tried again: no row leaves memory before
 * its outcome is confirmed.
 */
final class SettleBuffer {

    private static final long RETRY_NANOS = 100_000_000L;

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneLoop loop;
    private final Consumer<OwnedLane> onLeaseLost;
    private final Consumer<TrackedMessage> onSettled;
    private final List<TrackedMessage> delivered = new ArrayList<>();
    private boolean hasChanges;
    private long dueAt;
    private long callBeganAt;
    private boolean isRetrying;

    SettleBuffer(
            RelayContext context, LaneLoop loop, Consumer<OwnedLane> onLeaseLost, Consumer<TrackedMessage> onSettled) {
        this.context = context;
        this.memory = loop.memory();
        this.loop = loop;
        this.onLeaseLost = onLeaseLost;
        this.onSettled = onSettled;
    }

    /** A row of the hot table was delivered. */
    void addDelivered(TrackedMessage entry) {
        startClock();
        entry.state = TrackedMessage.State.SETTLING;
        delivered.add(entry);
    }

    /** An outcome that needs the fence. The entry may be null for a row that was never admitted. */
    void addChange(OwnedLane lane, Change change, @Nullable TrackedMessage entry) {
        startClock();
        hasChanges = true;
        if (entry != null) {
            entry.state = TrackedMessage.State.SETTLING;
        }
        lane.changes.add(new PendingChange(change, entry));
    }

    private void startClock() {
        if (isEmpty()) {
            dueAt = context.now() + context.options().settleDelay().toNanos();
        }
    }

    boolean isEmpty() {
        return delivered.isEmpty() && !hasChanges;
    }

    boolean hasChanges() {
        return hasChanges;
    }

    boolean isFull() {
        return delivered.size() >= context.options().batchSize();
    }

    /** When what was collected should be recorded at the latest, in monotonic nanoseconds. */
    long dueAt() {
        return dueAt;
    }

    /** Whether recording failed and it is too early to try again. */
    boolean isBackingOff() {
        return isRetrying && context.now() - dueAt < 0;
    }

    /** Forgets everything unrecorded: the database has changed under it. */
    void clear() {
        memory.dropAll(delivered);
        delivered.clear();
        memory.lanes().forEach(lane -> lane.changes.clear());
        hasChanges = false;
        isRetrying = false;
    }

    /** Records what was collected; what fails is kept for the next time. */
    void flush() {
        try {
            flushDelivered();
            loop.forEach(lane -> !lane.changes.isEmpty(), this::flushChanges);
            hasChanges = memory.lanes().stream().anyMatch(lane -> !lane.changes.isEmpty());
            isRetrying = false;
        } catch (RuntimeException failure) {
            isRetrying = true;
            dueAt = context.now() + RETRY_NANOS;
            context.listener().storeFailed(StoreOperation.SETTLE, failure, context.since(callBeganAt));
        }
    }

    private void flushDelivered() {
        if (delivered.isEmpty()) {
            return;
        }
        callBeganAt = context.now();
        List<RowRef> refs = delivered.stream().map(entry -> entry.ref).toList();
        context.store().settlements().delete(refs);
        memory.forgetAll(delivered);
        delivered.clear();
        context.listener().settled(refs.size(), context.since(callBeganAt));
    }

    private void flushChanges(OwnedLane lane) {
        callBeganAt = context.now();
        List<PendingChange> pending = List.copyOf(lane.changes);
        List<Change> changes = pending.stream().map(PendingChange::change).toList();
        try {
            context.store().settlements().apply(lane.lease(), context.options().ordering(), changes);
        } catch (LeaseLostException lost) {
            context.listener().settleRefused(lane.number(), changes.size(), context.since(callBeganAt));
            onLeaseLost.accept(lane);
            return;
        }
        lane.changes.clear();
        context.listener().settled(changes.size(), context.since(callBeganAt));
        for (PendingChange change : pending) {
            if (change.entry() != null) {
                memory.forget(change.entry());
                onSettled.accept(change.entry());
            }
        }
    }
}
