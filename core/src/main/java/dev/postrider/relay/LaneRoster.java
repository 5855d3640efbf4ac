package dev.postrider.relay;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Which lanes a worker has, as other threads see it and wish it: they give it lanes and take lanes from it by requests, which the
 * worker follows at its next step.
 */
final class LaneRoster {

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneScan scan;
    private final WorkerThread worker;
    private final Set<Integer> owned = ConcurrentHashMap.newKeySet();
    private final Set<Integer> leaving = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>();

    LaneRoster(RelayContext context, LaneMemory memory, LaneScan scan, WorkerThread worker) {
        this.context = context;
        this.memory = memory;
        this.scan = scan;
        this.worker = worker;
    }

    /** The lanes that the worker has. Any thread. */
    Set<Integer> owned() {
        return Set.copyOf(owned);
    }

    /** Those of {@link #owned()} that will be released. Any thread. */
    Set<Integer> leaving() {
        return Set.copyOf(leaving);
    }

    /** Gives the worker a lane that was taken by a statement sent at this moment. Any thread. */
    void add(TakenLane taken, long since) {
        owned.add(taken.lease().lane());
        request(() -> begin(new OwnedLane(taken, context.nanoTime()), since));
    }

    private void begin(OwnedLane lane, long since) {
        OwnedLane former = memory.lane(lane.number());
        if (former != null) {
            lose(former);
        }
        memory.add(lane);
        lane.leased(context.options(), since);
        owned.add(lane.number());
        context.listener().laneTaken(lane.number(), lane.lease().epoch());
    }

    /** Releases the lane once everything in flight has ended and is recorded. Any thread. */
    void leave(int number) {
        leaving.add(number);
        request(() -> leaveNow(number));
    }

    /** By now the lane may have been lost and acquired again: whether it is leaving is known only here. */
    private void leaveNow(int number) {
        OwnedLane lane = memory.lane(number);
        if (lane == null) {
            leaving.remove(number);
            return;
        }
        leaving.add(number);
        lane.leave();
    }

    /** Releases all lanes. Any thread. */
    void leaveAll() {
        owned.forEach(this::leave);
    }

    private void request(Runnable request) {
        requests.add(request);
        worker.unpark();
    }

    boolean hasRequests() {
        return !requests.isEmpty();
    }

    /** Returns whether there were any. */
    boolean followRequests() {
        boolean hasFollowed = false;
        for (Runnable request = requests.poll(); request != null; request = requests.poll()) {
            request.run();
            hasFollowed = true;
        }
        return hasFollowed;
    }

    /** Somebody else owns the lane, or may by now. */
    void lose(OwnedLane lane) {
        remove(lane);
        context.listener().laneLost(lane.number());
    }

    /** The lane was released. */
    void released(OwnedLane lane) {
        remove(lane);
        context.listener().laneReleased(lane.number());
    }

    private void remove(OwnedLane lane) {
        if (lane.isScanned()) {
            scan.remove(lane.number());
        }
        memory.remove(lane);
        owned.remove(lane.number());
        leaving.remove(lane.number());
    }
}
