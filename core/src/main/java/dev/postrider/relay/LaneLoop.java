package dev.postrider.relay;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps the lanes of a worker between calls to the store, since each may wait long: for a connection, or for an answer. A worker that is
 * slow but moves does not lose its lanes; one that hangs does.
 */
final class LaneLoop {

    private final RelayContext context;
    private final LaneMemory memory;
    private final LaneRoster roster;
    private final LeaseRenewer renewer;
    private boolean hasFollowedRequests;
    private volatile long movedAt;

    LaneLoop(RelayContext context, LaneMemory memory, LaneRoster roster, LeaseRenewer renewer) {
        this.context = context;
        this.memory = memory;
        this.roster = roster;
        this.renewer = renewer;
        this.movedAt = context.now();
    }

    LaneMemory memory() {
        return memory;
    }

    /** Call it before each call to the store. */
    void keepLanes() {
        movedAt = context.now();
        // The leases of lanes just acquired run already.
        hasFollowedRequests |= roster.followRequests();
        renewer.renewIfDue();
    }

    /** Whether lanes came, or are to go, since the last call: there is more to do at once. */
    boolean takeFollowedRequests() {
        boolean hadFollowed = hasFollowedRequests;
        hasFollowedRequests = false;
        return hadFollowed;
    }

    /** Calls the store for one lane after the other. */
    void forEach(Predicate<OwnedLane> which, Consumer<OwnedLane> call) {
        for (OwnedLane lane : memory.list(which)) {
            keepLanes();
            // By now the lane may be lost, or may be leaving.
            if (which.test(lane)) {
                call.accept(lane);
            }
        }
    }

    /** For how long the worker has not moved. Any thread. */
    Duration stillFor() {
        return context.since(movedAt);
    }

    /** A thread begins to move the worker. */
    void moves() {
        movedAt = context.now();
    }
}
