package dev.postrider.relay;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the scan has returned of a lane and is not in memory, because its destination is closed or it was dropped; and whether the lane
 * must be read again for it.
 */
final class LaneReading {

    /** Enough for others to flow past a dead destination's backlog; beyond it those rows are read again and again, at leisure. */
    private static final int MAX_PASSED_OVER = 10_000;

    /** Rows that lead to a closed destination: a scan that starts at the head would return them at every fetch. */
    private final Map<Long, WorkerGate> passedOver = new HashMap<>();

    /** Those dropped from memory because their destination was closed. The scan may return them, and stores may let others have them. */
    private final Map<Long, WorkerGate> leftOut = new HashMap<>();

    private boolean mustRestart;

    /** The lowest seq that was dropped from memory unsettled. */
    private long lowestDropped = Long.MAX_VALUE;

    /** From here on rows may have been left out that are in neither of these. */
    private long lowestNotRemembered = Long.MAX_VALUE;

    private long completeReads;
    private Set<Long> suspects = Set.of();
    private long completeReadsAtSuspicion;

    /** Rows that the scan has passed are missing from memory: the lane is read from its head. */
    void restart() {
        mustRestart = true;
    }

    boolean mustRestart() {
        return mustRestart;
    }

    /** The lane is read from its head now: what was dropped comes again. */
    void restarted() {
        mustRestart = false;
        lowestDropped = Long.MAX_VALUE;
        passedOver.clear();
        leftOut.clear();
        lowestNotRemembered = Long.MAX_VALUE;
        suspects = Set.of();
    }

    /** The lane was read to its end. */
    void completed() {
        completeReads++;
    }

    /** A row that the scan has returned is not kept in memory, though it is not settled. */
    void dropped(long seq) {
        lowestDropped = Math.min(lowestDropped, seq);
    }

    long lowestDropped() {
        return lowestDropped;
    }

    /** A row leads to a closed destination; returns whether it can be remembered, so that it does not come again. */
    boolean passOver(long seq, WorkerGate gate) {
        return remember(passedOver, seq, gate);
    }

    /** A row is dropped from memory because its destination is closed. */
    void leaveOut(long seq, WorkerGate gate) {
        remember(leftOut, seq, gate);
    }

    private boolean remember(Map<Long, WorkerGate> rows, long seq, WorkerGate gate) {
        dropped(seq);
        if (rows.size() >= MAX_PASSED_OVER) {
            lowestNotRemembered = Math.min(lowestNotRemembered, seq);
            return false;
        }
        rows.put(seq, gate);
        return true;
    }

    /** The rows that a scan need not return again. */
    Set<Long> passedOver() {
        return passedOver.keySet();
    }

    /** How many rows it knows. */
    int known() {
        return passedOver.size() + leftOut.size();
    }

    /** Whether a look at what the scan may have missed can tell more than the last one: the lane was read to its end since. */
    boolean canJudge() {
        return !mustRestart && (suspects.isEmpty() || completeReads > completeReadsAtSuspicion);
    }

    /** Whether a row that is not in memory must have been missed, and not left out because of a closed destination. */
    boolean lacks(long seq) {
        WorkerGate gate = passedOver.getOrDefault(seq, leftOut.get(seq));
        return seq < lowestNotRemembered && (gate == null || !gate.isClosed());
    }

    /** Notes rows that seem to be missing. Returns those that seemed so before. */
    Set<Long> suspect(Set<Long> missing) {
        Set<Long> missed = new HashSet<>(missing);
        missed.retainAll(suspects);
        suspects = missing;
        completeReadsAtSuspicion = completeReads;
        return missed;
    }
}
