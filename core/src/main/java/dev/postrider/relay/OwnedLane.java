package dev.postrider.relay;

import dev.postrider.relay.KeyQueue.QueueKey;
import dev.postrider.spi.Change;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One owned lane with everything in memory that belongs to it. Confined to its worker's thread. */
final class OwnedLane {

    /** Where a lane stands in its life with this worker. */
    enum Phase {
        /** Just taken: its held rows must be made consistent before anything is read. */
        NEW,
        /** Read, sent and settled. */
        ACTIVE,
        /** Nothing new is read or sent; it is given back when all has ended and is recorded. */
        LEAVING,
        /** Its memory was dropped; it is read anew when the last send has ended. */
        RESETTING,
        /** Somebody else owns it; what is in flight may still end. */
        LOST
    }

    /** Enough for others to flow past a dead destination's backlog; beyond it those rows are read again and again, at leisure. */
    private static final int MAX_PASSED_OVER = 10_000;

    final TakenLane taken;
    Phase phase = Phase.NEW;

    /** The last moment at which a send may begin, in monotonic nanoseconds. */
    long sendUntil;

    /** Until when the lease is believed. */
    final Tenure tenure;

    /** Under global order: something is held, or may be, so nothing else may go out. */
    boolean isGatedByHeld;

    /** Held rows may lack their destination: nothing is read until they have one. */
    boolean hasUnassigned;

    /** Rows were dropped from memory that the scan has passed: read the lane anew from its head. */
    boolean mustRestart;

    /** The lowest seq of the hot table that was dropped from memory unsettled, until the lane is read anew. */
    private long lowestDropped = Long.MAX_VALUE;

    /** Rows that lead to a closed destination: a scan that starts at the head would return them at every fetch. */
    private final Map<Long, WorkerGate> passedOver = new HashMap<>();

    /** Those dropped from memory because their destination was closed. The scan may return them, and stores may let others have them. */
    private final Map<Long, WorkerGate> leftOut = new HashMap<>();

    /** From here on rows may have been left out that are in neither of these. */
    private long lowestNotRemembered = Long.MAX_VALUE;

    /** How often the lane was read to its end. */
    long completeReads;

    /** What the sweep did not find in memory, and how often the lane had been read to its end by then. */
    Set<Long> suspects = Set.of();

    long completeReadsAtSuspicion;

    /** Whether the scan knows the lane. */
    boolean isScanned;

    int inFlight;

    /** Ready to be sent, but the lease may not outlast the send; they wait for it to be renewed. */
    final List<TrackedMessage> parked = new ArrayList<>();

    final Map<Long, TrackedMessage> entries = new HashMap<>();
    final Map<QueueKey, KeyQueue> queues = new HashMap<>();

    /** Outcomes to record with the fence, with the entries that they end. */
    final List<PendingChange> changes = new ArrayList<>();

    OwnedLane(TakenLane taken, LongSupplier nanoTime) {
        this.taken = taken;
        this.tenure = new Tenure(taken.lease(), nanoTime);
    }

    int number() {
        return taken.lease().lane();
    }

    Lease lease() {
        return taken.lease();
    }

    /** Whether its rows may be read: all that was decided is recorded, and what is held is known. */
    boolean isReadable() {
        return phase == Phase.ACTIVE && changes.isEmpty() && !hasUnassigned;
    }

    /** Under global order nothing may pass a held message, and whether there is one is not known yet. */
    void gateUntilHeldIsRead(Ordering ordering) {
        isGatedByHeld = ordering == Ordering.GLOBAL;
    }

    boolean maySend(long now) {
        return phase == Phase.ACTIVE && now - sendUntil < 0;
    }

    void remember(TrackedMessage entry) {
        entries.put(entry.ref.seq(), entry);
    }

    boolean forget(TrackedMessage entry) {
        return entries.remove(entry.ref.seq(), entry);
    }

    /** A row that the scan has returned is not kept in memory, though it is not settled. */
    void dropped(long seq) {
        lowestDropped = Math.min(lowestDropped, seq);
    }

    /** A row leads to a closed destination; returns whether it can be remembered, so that it does not come again. */
    boolean passOver(long seq, WorkerGate gate) {
        dropped(seq);
        if (passedOver.size() >= MAX_PASSED_OVER) {
            lowestNotRemembered = Math.min(lowestNotRemembered, seq);
            return false;
        }
        passedOver.put(seq, gate);
        return true;
    }

    /** A row is dropped from memory because its destination is closed. */
    void leaveOut(long seq, WorkerGate gate) {
        dropped(seq);
        if (leftOut.size() >= MAX_PASSED_OVER) {
            lowestNotRemembered = Math.min(lowestNotRemembered, seq);
        } else {
            leftOut.put(seq, gate);
        }
    }

    /** Whether the scan must have missed the row: it is not in memory, and was not left out because of a closed destination. */
    boolean lacks(long seq) {
        WorkerGate gate = passedOver.getOrDefault(seq, leftOut.get(seq));
        return seq < lowestNotRemembered && !entries.containsKey(seq) && (gate == null || !gate.isClosed());
    }

    /** How many rows it knows. */
    int known() {
        return entries.size() + passedOver.size() + leftOut.size();
    }

    /** Whether the row is in memory or was passed over. */
    boolean knows(long seq) {
        return entries.containsKey(seq) || passedOver.containsKey(seq);
    }

    long[] knownSeqs() {
        return LongStream.concat(
                        entries.keySet().stream().mapToLong(Long::longValue),
                        passedOver.keySet().stream().mapToLong(Long::longValue))
                .toArray();
    }

    /** The lane is read from its head: what was dropped comes again. */
    void restarted() {
        mustRestart = false;
        lowestDropped = Long.MAX_VALUE;
        passedOver.clear();
        leftOut.clear();
        lowestNotRemembered = Long.MAX_VALUE;
        suspects = Set.of();
    }

    /** The lowest seq that the scan has returned and that is not settled. */
    long lowestUnsettled() {
        long lowest = lowestDropped;
        for (TrackedMessage entry : entries.values()) {
            if (!entry.held) {
                lowest = Math.min(lowest, entry.ref.seq());
            }
        }
        for (PendingChange pending : changes) {
            lowest = Math.min(lowest, pending.change().row().seq());
        }
        return lowest;
    }

    /** A change not yet recorded; without entry for rows that were never admitted. */
    record PendingChange(Change change, @Nullable TrackedMessage entry) {}
}
