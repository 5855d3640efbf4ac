package dev.postrider.relay;

import dev.postrider.spi.RelayStore.Released;
import java.time.Duration;
import java.util.Set;

/** Moves delayed messages of the owned lanes into the hot table when they are due. */
final class DelayedReleaser {

    private final RelayContext context;
    private final LaneMemory memory;
    private final Agenda agenda;

    DelayedReleaser(RelayContext context, LaneMemory memory, Agenda agenda) {
        this.context = context;
        this.memory = memory;
        this.agenda = agenda;
    }

    void releaseIfDue() {
        if (!agenda.isDelayedDue()) {
            return;
        }
        Duration interval = context.options().housekeepingInterval();
        agenda.delayedIn(interval);
        Set<Integer> lanes = memory.numbers(OwnedLane::isActive);
        if (lanes.isEmpty()) {
            return;
        }
        long start = context.now();
        try {
            Released released =
                    context.relayStore().releaseDelayed(lanes, context.options().batchSize());
            released.nextDueIn().filter(delay -> delay.compareTo(interval) < 0).ifPresent(agenda::delayedIn);
            if (released.count() > 0) {
                agenda.hurryFetch();
            }
        } catch (RuntimeException failure) {
            context.listener().storeFailed(StoreOperation.RELEASE_DELAYED, failure, context.since(start));
        }
    }
}
