package dev.postrider.relay;

import java.util.List;

/**
 * Drops rows from memory that were not settled. Whatever is dropped is read again, by this owner of the lane or by the next; what is in flight stays known until
 * it ends. These are the FORGET steps of {@link Lines} without a record.
 */
final class Evictions {

    private final LaneMemory memory;
    private final SettleBuffer settle;

    Evictions(LaneMemory memory, SettleBuffer settle) {
        this.memory = memory;
        this.settle = settle;
    }

    /** Forgets a row that was not settled: it must be read again, by this owner of the lane or by the next. */
    void drop(TrackedMessage row) {
        if (!row.held) {
            row.lane.reading.dropped(row.ref.seq());
        }
        row.leaveMemory();
    }

    /** Drops a row whose destination is closed, until it reopens and every lane is read from its head. */
    private void leaveOut(TrackedMessage row) {
        drop(row);
        if (!row.held) {
            row.lane.reading.leaveOut(row.ref.seq(), row.gate);
        }
    }

    /** Drops a row that was not sent, or was and is not to blame: it is read again as soon as its destination takes messages. */
    void dropUnsent(TrackedMessage row) {
        if (row.gate.isClosed()) {
            leaveOut(row);
        } else {
            drop(row);
            row.lane.reading.restart();
        }
    }

    /** Drops what waits in lanes that are being released. */
    void dropWaitingInLeavingLanes() {
        memory.list(OwnedLane::isLeaving).forEach(this::dropWaiting);
    }

    /**
     * Drops what waits in the lane, and lets it be read again once everything in flight has ended: what is in flight has lost
     * its line, so nothing else would keep a later message from passing it.
     */
    void reset(OwnedLane lane) {
        lane.reset();
        dropWaiting(lane);
    }

    /** What is in flight stays known until it ends; what was delivered stays known until that is recorded. */
    private void dropWaiting(OwnedLane lane) {
        lane.lines.clear();
        for (TrackedMessage row : List.copyOf(lane.rows.values())) {
            if (row.line != null) {
                row.line.detach();
            }
            if (row.state() == RowState.WAITING || isLeftOver(row)) {
                drop(row);
            }
        }
    }

    /** Whether it has ended and nobody will decide what becomes of it: the worker crashed before. */
    private static boolean isLeftOver(TrackedMessage row) {
        if (row.state() != RowState.ENDED) {
            return false;
        }
        Line line = Lines.lineOf(row);
        boolean isUndecided = row.outcome != null && !line.isAtRest();
        if (!isUndecided) {
            line.remove(row);
        }
        return !isUndecided;
    }

    /** Drops what waits for the destination. What is in flight to it stays known, and so does the order behind it. */
    void dropWaiting(WorkerGate gate) {
        for (OwnedLane lane : memory.lanes()) {
            for (TrackedMessage row : List.copyOf(lane.rows.values())) {
                if (row.gate == gate && row.state() == RowState.WAITING) {
                    Lines.lineOf(row).forgetWaiting();
                    leaveOut(row);
                }
            }
            lane.lines.values().removeIf(line -> line.gate == gate && line.isEmpty());
        }
    }

    /** The database was replaced: nothing that is in memory may be recorded. */
    void forgetAll() {
        settle.clear().forEach(this::drop);
        for (OwnedLane lane : memory.lanes()) {
            lane.rows.values().forEach(row -> row.isVoid = true);
            reset(lane);
        }
    }
}
