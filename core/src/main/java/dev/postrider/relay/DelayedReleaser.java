package dev.postrider.relay;

import dev.postrider.relay.OwnedLane.Phase;
import dev.postrider.spi.DelayedMessages.Released;
import java.util.Set;

/** Moves delayed messages of the owned lanes into the hot table when they are due. */
final class DelayedReleaser {

    private final RelayContext context;
    private final LaneMemory memory;
    private final Runnable onReleased;
    private long nextAt;

    DelayedReleaser(RelayContext context, LaneMemory memory, Runnable onReleased) {
        this.context = context;
        this.memory = memory;
        this.onReleased = onReleased;
        this.nextAt = context.now();
    }

    /** A lane is new: nothing is known of what is due in it. */
    void lookAtOnce() {
        nextAt = context.now();
    }

    long nextAt() {
        return nextAt;
    }

    void releaseIfDue() {
        if (context.now() - nextAt < 0) {
            return;
        }
        long interval = context.options().housekeepingInterval().toNanos();
        nextAt = context.now() + interval;
        Set<Integer> lanes = memory.numbers(lane -> lane.phase == Phase.ACTIVE);
        if (lanes.isEmpty()) {
            return;
        }
        long start = context.now();
        try {
            Released released =
                    context.store().delayed().release(lanes, context.options().batchSize());
            released.nextDueIn().ifPresent(delay -> nextAt = context.now() + Math.min(Nanos.of(delay), interval));
            if (released.count() > 0) {
                onReleased.run();
            }
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.RELEASE_DELAYED, failure, context.since(start));
        }
    }
}
