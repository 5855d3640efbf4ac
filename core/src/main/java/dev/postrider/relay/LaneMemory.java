package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.KnownRows;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All lanes of one worker and what it holds of them. Confined to the worker's thread. */
final class LaneMemory implements KnownRows {

    private final Map<Integer, OwnedLane> lanes = new HashMap<>();
    private final Collection<WorkerGate> gates;
    private int rows;

    LaneMemory(Collection<WorkerGate> gates) {
        this.gates = gates;
    }

    void add(OwnedLane lane) {
        lanes.put(lane.number(), lane);
    }

    /** The lane of that number; null when this worker does not own it. */
    @Nullable
    OwnedLane lane(int number) {
        return lanes.get(number);
    }

    /** A lane that this worker owns. */
    OwnedLane owned(int number) {
        return Objects.requireNonNull(lanes.get(number));
    }

    Collection<OwnedLane> lanes() {
        return lanes.values();
    }

    Set<Integer> numbers(Predicate<OwnedLane> which) {
        return lanes.values().stream().filter(which).map(OwnedLane::number).collect(Collectors.toSet());
    }

    List<OwnedLane> list(Predicate<OwnedLane> which) {
        return lanes.values().stream().filter(which).toList();
    }

    int rows() {
        return rows;
    }

    /** Rows that take room from others: all but those in flight to closed or slow destinations, which have bounds of their own. */
    int rowsTakingRoom() {
        return openGates().mapToInt(WorkerGate::rows).sum();
    }

    /** The bytes of {@link #rowsTakingRoom}. */
    long bytesTakingRoom() {
        return openGates().mapToLong(WorkerGate::bytes).sum();
    }

    private Stream<WorkerGate> openGates() {
        return gates.stream().filter(gate -> !gate.isClosed());
    }

    void remember(TrackedMessage entry) {
        entry.lane.remember(entry);
        entry.gate.remembered(entry);
        rows++;
    }

    /** Forgets an entry that was settled. */
    void forget(TrackedMessage entry) {
        if (entry.lane.forget(entry)) {
            entry.gate.forgotten(entry);
            rows--;
        }
    }

    void forgetAll(Collection<TrackedMessage> entries) {
        entries.forEach(this::forget);
    }

    /** Forgets an entry that was not settled: its row must be read again, by this owner of the lane or by the next. */
    void drop(TrackedMessage entry) {
        if (!entry.held) {
            entry.lane.dropped(entry.ref.seq());
        }
        forget(entry);
    }

    void dropAll(Collection<TrackedMessage> entries) {
        entries.forEach(this::drop);
    }

    /** Drops an entry whose destination is closed, until it reopens and every lane is read from its head. */
    private void leaveOut(TrackedMessage entry) {
        drop(entry);
        if (!entry.held) {
            entry.lane.leaveOut(entry.ref.seq(), entry.gate);
        }
    }

    /** Drops an entry that was not sent. */
    void dropUnsent(TrackedMessage entry) {
        if (entry.gate.isClosed()) {
            leaveOut(entry);
        } else {
            drop(entry);
            entry.lane.mustRestart = true;
        }
    }

    /**
     * Drops what waits in the lane. What is in flight stays known until it ends; what was delivered stays known until that
     * is recorded.
     */
    void dropWaiting(OwnedLane lane) {
        gates.forEach(gate -> gate.forgetReady(lane));
        lane.parked.clear();
        lane.queues.clear();
        for (TrackedMessage entry : List.copyOf(lane.entries.values())) {
            entry.queue = null;
            if (entry.isForgettable()) {
                drop(entry);
            }
        }
    }

    /** Drops what waits for the destination. What is in flight to it stays known, and so does the order behind it. */
    void dropWaiting(WorkerGate gate) {
        gate.forgetReady();
        for (OwnedLane lane : lanes.values()) {
            lane.parked.removeIf(entry -> entry.gate == gate);
            for (TrackedMessage entry : List.copyOf(lane.entries.values())) {
                if (entry.gate == gate && entry.isWaiting()) {
                    leaveOut(entry);
                }
            }
            lane.queues.values().removeIf(queue -> queue.key.gate() == gate && queue.dropWaiting());
        }
    }

    /**
     * Drops what waits in the lane, and lets it be read anew once everything in flight has ended: what is in flight has lost
     * its queue, so nothing else would keep a later message from passing it.
     */
    void reset(OwnedLane lane) {
        if (lane.phase == Phase.ACTIVE) {
            lane.phase = Phase.RESETTING;
        }
        dropWaiting(lane);
        lane.mustRestart = true;
    }

    /** Has every lane read from its head again. */
    void restartAll() {
        lanes.values().forEach(lane -> lane.mustRestart = true);
    }

    /** Removes a lane with all that is known of it. */
    void remove(OwnedLane lane) {
        gates.forEach(gate -> gate.forgetReady(lane));
        lanes.remove(lane.number(), lane);
        forgetAll(List.copyOf(lane.entries.values()));
        lane.parked.clear();
        lane.queues.clear();
        lane.changes.clear();
        lane.phase = Phase.LOST;
        lane.tenure.end();
    }

    @Override
    public boolean contains(int lane, long seq) {
        OwnedLane owned = lanes.get(lane);
        return owned != null && owned.knows(seq);
    }

    @Override
    public long[] seqs(int lane) {
        OwnedLane owned = lanes.get(lane);
        return owned == null ? new long[0] : owned.knownSeqs();
    }
}
