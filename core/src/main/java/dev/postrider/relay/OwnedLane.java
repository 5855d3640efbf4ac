package dev.postrider.relay;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** One owned lane with everything in memory that belongs to it. Confined to its worker's thread. */
final class OwnedLane {

    /** Where a lane stands in its life with this worker. */
    private enum Phase {
        /** Just acquired: its held rows must be made consistent before anything is read. */
        NEW,
        /** Read, sent and settled. */
        ACTIVE,
        /** Nothing new is read or sent; it is released when all has ended and is recorded. */
        LEAVING,
        /** Its memory was dropped; it is read again when the last send has ended. */
        RESETTING,
        /** Somebody else owns it; what is in flight may still end. */
        LOST
    }

    final TakenLane taken;

    /** Until when the lease is believed. */
    final Tenure tenure;

    final LaneReading reading = new LaneReading();
    final Map<Long, TrackedMessage> rows = new HashMap<>();
    final Map<Line.Key, Line> lines = new HashMap<>();

    /** Outcomes to record with the fence, with the rows that they end. */
    final List<PendingChange> changes = new ArrayList<>();

    /** Lines that may go on, but the lease may not outlast a send; they wait for it to be renewed. */
    private final List<Line> parked = new ArrayList<>();

    private Phase phase = Phase.NEW;
    private boolean isScanned;
    private boolean isGatedByHeld;
    private boolean hasUnassigned;
    private int inFlight;
    private long sendUntil;
    private long renewAt;

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

    /** Its lease was acquired or renewed by a statement that was sent at this moment. */
    void leased(RelayOptions options, long since) {
        long lease = options.lease().toNanos();
        tenure.lastUntil(since + lease);
        sendUntil = since + lease - options.sendMargin().toNanos();
        renewAt = since + lease / LeaseRenewer.RENEWALS_PER_LEASE;
        List<Line> free = List.copyOf(parked);
        parked.clear();
        free.forEach(line -> {
            line.isQueued = false;
            line.gate.addReady(line);
        });
    }

    /** When the lease is to be renewed. */
    long renewAt() {
        return renewAt;
    }

    boolean maySend(long now) {
        return phase == Phase.ACTIVE && now - sendUntil < 0;
    }

    /** Lets a line wait until the lease is renewed. */
    void park(Line line) {
        parked.add(line);
    }

    boolean isNew() {
        return phase == Phase.NEW;
    }

    /** The held rows are consistent: it can be read, when those without a destination have one. */
    void open(Ordering ordering) {
        phase = Phase.ACTIVE;
        isScanned = true;
        hasUnassigned = true;
        gateUntilHeldIsRead(ordering);
    }

    boolean isActive() {
        return phase == Phase.ACTIVE;
    }

    /** Whether the scan knows it. */
    boolean isScanned() {
        return isScanned;
    }

    /** Marks it for release: nothing is read or sent any more. */
    void leave() {
        phase = Phase.LEAVING;
    }

    boolean isLeaving() {
        return phase == Phase.LEAVING;
    }

    /** Whether it can be released: all has ended and is recorded. */
    boolean hasLeft() {
        return isLeaving() && isQuiet() && rows.isEmpty();
    }

    /** Its memory is dropped: it is read again from its head, once everything in flight has ended. */
    void reset() {
        if (phase == Phase.ACTIVE) {
            phase = Phase.RESETTING;
        }
        reading.restart();
    }

    /** Whether it is being reset, and everything in flight has ended and is recorded. */
    boolean canReopen() {
        return phase == Phase.RESETTING && isQuiet();
    }

    void reopen(Ordering ordering) {
        phase = Phase.ACTIVE;
        gateUntilHeldIsRead(ordering);
    }

    private boolean isQuiet() {
        return inFlight == 0 && changes.isEmpty();
    }

    /** Where a next owner could go on reading can be told: nothing waits to be read again. */
    boolean hasPosition() {
        return isScanned && phase != Phase.RESETTING && !reading.mustRestart();
    }

    void lose() {
        phase = Phase.LOST;
        tenure.end();
        rows.clear();
        lines.clear();
        parked.clear();
        changes.clear();
    }

    boolean isLost() {
        return phase == Phase.LOST;
    }

    /** Under global order nothing may pass a held message, and whether there is one is not known yet. */
    private void gateUntilHeldIsRead(Ordering ordering) {
        isGatedByHeld = ordering == Ordering.GLOBAL;
    }

    /** Under global order: whether anything is held, so that nothing else may go out. */
    void foundHeld(boolean anything) {
        isGatedByHeld = anything;
    }

    boolean isGatedByHeld() {
        return isGatedByHeld;
    }

    /** Held rows may lack their destination: nothing is read until they have one. */
    void expectUnassigned() {
        hasUnassigned = true;
    }

    void allAssigned() {
        hasUnassigned = false;
    }

    /** Whether held rows that lack their destination can get one now. */
    boolean waitsForAssignment() {
        return isActive() && hasUnassigned && changes.isEmpty();
    }

    /** Whether held rows may be read: all that was decided is recorded, and what is held is known. */
    boolean isReadable() {
        return isActive() && changes.isEmpty() && !hasUnassigned;
    }

    /** Whether rows of the hot table may be read. */
    boolean isHotReadable() {
        return isReadable() && !isGatedByHeld;
    }

    /** Whether nothing is to be done for it but to read it again now and then. */
    boolean isDrained() {
        return isActive() && !hasUnassigned && (isGatedByHeld || !reading.mustRestart());
    }

    void began() {
        inFlight++;
    }

    void ended() {
        inFlight--;
    }

    /** Whether the row is in memory or was passed over. */
    boolean knows(long seq) {
        return rows.containsKey(seq) || reading.passedOver().contains(seq);
    }

    long[] knownSeqs() {
        return LongStream.concat(
                        rows.keySet().stream().mapToLong(Long::longValue),
                        reading.passedOver().stream().mapToLong(Long::longValue))
                .toArray();
    }

    /** The lowest seq that the scan has returned and that is not settled. */
    long lowestUnsettled() {
        long lowest = reading.lowestDropped();
        for (TrackedMessage row : rows.values()) {
            if (!row.held) {
                lowest = Math.min(lowest, row.ref.seq());
            }
        }
        for (PendingChange pending : changes) {
            lowest = Math.min(lowest, pending.change().row().seq());
        }
        return lowest;
    }

    /** A change not yet recorded; without row for those that were never admitted. */
    record PendingChange(RowOutcome change, @Nullable TrackedMessage row) {}
}
