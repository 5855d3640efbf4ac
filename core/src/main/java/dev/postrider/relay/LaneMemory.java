package dev.postrider.relay;

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

/** All lanes of one worker, and the rows that it holds of them. Confined to the worker's thread. */
final class LaneMemory implements KnownRows {

    private final Map<Integer, OwnedLane> lanes = new HashMap<>();
    private final Collection<WorkerGate> gates;

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

    boolean hasNoRows() {
        return lanes.values().stream().allMatch(lane -> lane.rows.isEmpty());
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

    /** Has every lane read from its head again. */
    void restartAll() {
        lanes.values().forEach(lane -> lane.reading.restart());
    }

    /** Removes a lane with all that is known of it. */
    void remove(OwnedLane lane) {
        lanes.remove(lane.number(), lane);
        for (TrackedMessage row : List.copyOf(lane.rows.values())) {
            if (row.line != null) {
                row.line.detach();
            }
            row.leaveMemory();
        }
        lane.lose();
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
