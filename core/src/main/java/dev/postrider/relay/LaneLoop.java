package dev.postrider.relay;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Calls the store for one lane after the other. The worker keeps its lanes before each call, so a loop that is slow but moves does not
 * lose them.
 */
record LaneLoop(LaneMemory memory, Runnable keepLanes) {

    void forEach(Predicate<OwnedLane> which, Consumer<OwnedLane> call) {
        for (OwnedLane lane : memory.list(which)) {
            keepLanes.run();
            // By now the lane may be lost, or may be leaving.
            if (which.test(lane)) {
                call.accept(lane);
            }
        }
    }
}
