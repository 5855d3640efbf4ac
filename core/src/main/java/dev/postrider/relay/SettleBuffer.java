package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.PendingChange;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final LaneRoster roster;
    private final List<TrackedMessage> delivered = new ArrayList<>();
    private boolean hasChanges;
    private long dueAt;
    private long callBeganAt;
    private boolean isRetrying;

    SettleBuffer(RelayContext context, LaneLoop loop, LaneRoster roster) {
        this.context = context;
        this.memory = loop.memory();
        this.loop = loop;
        this.roster = roster;
    }

    /** A row of the hot table was delivered. */
    void addDelivered(TrackedMessage row) {
        startClock();
        delivered.add(row);
    }

    /** An outcome that needs the fence. The row may be null for one that was never admitted. */
    void addChange(OwnedLane lane, RowOutcome change, @Nullable TrackedMessage row) {
        startClock();
        hasChanges = true;
        lane.changes.add(new PendingChange(change, row));
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

    /** Forgets everything unrecorded, and returns its rows: the database has changed under it. */
    List<TrackedMessage> clear() {
        List<TrackedMessage> unrecorded = new ArrayList<>(delivered);
        delivered.clear();
        for (OwnedLane lane : memory.lanes()) {
            lane.changes.stream()
                    .map(PendingChange::row)
                    .filter(Objects::nonNull)
                    .forEach(unrecorded::add);
            lane.changes.clear();
        }
        hasChanges = false;
        isRetrying = false;
        return unrecorded;
    }

    /** Records what was collected, and tells of each row whose outcome is recorded; what fails is kept for the next time. */
    void flush(Consumer<TrackedMessage> onRecorded) {
        try {
            flushDelivered(onRecorded);
            loop.forEach(lane -> !lane.changes.isEmpty(), lane -> flushChanges(lane, onRecorded));
            hasChanges = memory.lanes().stream().anyMatch(lane -> !lane.changes.isEmpty());
            isRetrying = false;
        } catch (RuntimeException failure) {
            isRetrying = true;
            dueAt = context.now() + RETRY_NANOS;
            context.listener().storeFailed(StoreOperation.SETTLE, failure, context.since(callBeganAt));
        }
    }

    private void flushDelivered(Consumer<TrackedMessage> onRecorded) {
        if (delivered.isEmpty()) {
            return;
        }
        callBeganAt = context.now();
        List<RowRef> refs = delivered.stream().map(row -> row.ref).toList();
        context.relayStore().deleteDelivered(refs);
        delivered.forEach(onRecorded);
        delivered.clear();
        context.listener().settled(refs.size(), context.since(callBeganAt));
    }

    private void flushChanges(OwnedLane lane, Consumer<TrackedMessage> onRecorded) {
        callBeganAt = context.now();
        List<PendingChange> pending = List.copyOf(lane.changes);
        List<RowOutcome> changes = pending.stream().map(PendingChange::change).toList();
        try {
            context.relayStore().settle(lane.lease(), changes);
        } catch (LeaseLostException lost) {
            context.listener().settleRefused(lane.number(), changes.size(), context.since(callBeganAt));
            roster.lose(lane);
            return;
        }
        lane.changes.clear();
        context.listener().settled(changes.size(), context.since(callBeganAt));
        for (PendingChange change : pending) {
            if (change.row() != null) {
                onRecorded.accept(change.row());
            }
        }
    }
}
