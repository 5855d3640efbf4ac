package dev.postrider.relay;

import dev.postrider.spi.LaneScan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves now and then that the scan has missed nothing.
 *
 * <p>Looks at the head of one lane after the other, seqs only, for at most a hundredth of the time. A row that is not in
 * memory is only a suspect, since it may have committed a moment ago; one that is still not in memory at the next look, after
 * the scan has read to the end in between, was missed. The miss is counted, and every lane of the worker is read from its
 * head: the scan's memory is wrong, and what hid this row may hide others.
 *
 * <p>Rows that wait for a closed or slow destination are not missing. They are told by their topics, or, where topics do not
 * decide, one by one, as far as the lane remembers them ({@link LaneReading#lacks}).
 */
final class Sweeper {

    /** Rows younger than this are left to the scan. */
    private static final Duration MIN_AGE = Duration.ofSeconds(2);

    private static final int SPARE_ROWS = 100;
    private static final int SHARE_OF_TIME = 100;

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneScan scan;
    private final WorkerGates gates;
    private final List<Integer> round = new ArrayList<>();
    private long nextAt;

    Sweeper(RelayContext context, LaneMemory memory, LaneScan scan, WorkerGates gates) {
        this.context = context;
        this.memory = memory;
        this.scan = scan;
        this.gates = gates;
        this.nextAt = context.now() + context.options().sweepInterval().toNanos();
    }

    void sweepIfDue() {
        if (context.now() - nextAt < 0) {
            return;
        }
        long start = context.now();
        try {
            OwnedLane lane = nextLane();
            if (lane != null) {
                sweep(lane);
            }
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.SWEEP, failure, context.since(start));
        }
        long lanes = Math.max(1, memory.lanes().size());
        long took = context.now() - start;
        nextAt = context.now() + Math.max(context.options().sweepInterval().toNanos() / lanes, took * SHARE_OF_TIME);
    }

    private @Nullable OwnedLane nextLane() {
        if (round.isEmpty()) {
            round.addAll(memory.numbers(this::isSweepable));
        }
        OwnedLane lane = round.isEmpty() ? null : memory.lane(round.remove(round.size() - 1));
        return lane != null && isSweepable(lane) ? lane : null;
    }

    private boolean isSweepable(OwnedLane lane) {
        return lane.reading.canJudge() && lane.isActive() && lane.changes.isEmpty() && !lane.isGatedByHeld();
    }

    private void sweep(OwnedLane lane) {
        Set<Long> unknown = new HashSet<>();
        for (long seq : scan.sweep(
                lane.number(), gates.closedTopics(), MIN_AGE, lane.rows.size() + lane.reading.known() + SPARE_ROWS)) {
            if (!lane.rows.containsKey(seq) && lane.reading.lacks(seq)) {
                unknown.add(seq);
            }
        }
        Set<Long> missed = lane.reading.suspect(unknown);
        if (!missed.isEmpty()) {
            memory.restartAll();
            context.listener().sweepFoundMissed(lane.number(), missed.size());
        }
    }
}
