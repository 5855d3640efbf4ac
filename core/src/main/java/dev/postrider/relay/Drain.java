package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a relay on the calling thread until nothing deliverable is left, then releases all lanes.
 *
 * <p>A destination that is paused or unreachable is left out, others go on. A failing store ends it.
 */
final class Drain implements RelayListener {

    private static final long LONGEST_PAUSE = 5_000_000L;

    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dead = new AtomicLong();
    private final AtomicBoolean isBroken = new AtomicBoolean();

    DrainReport run(RelayCore core) {
        startAnew(core);
        core.workers().forEach(worker -> worker.runsOn(Thread.currentThread()));
        takeLanes(core);
        while (!isBroken.get() && !core.workers().stream().allMatch(LaneWorker::isDrained)) {
            step(core);
        }
        boolean isComplete = !isBroken.get()
                && core.gates().stream()
                        .noneMatch(gate ->
                                gate.isClosed() || !gate.unavailablePlaces().isEmpty());
        release(core);
        return new DrainReport(delivered.get(), failed.get(), dead.get(), isComplete);
    }

    private void startAnew(RelayCore core) {
        delivered.set(0);
        failed.set(0);
        dead.set(0);
        isBroken.set(false);
        core.gates().forEach(DestinationGate::probeIfDue);
    }

    private void takeLanes(RelayCore core) {
        int before;
        do {
            before = core.keeper().ownedLanes().size();
            core.keeper().step();
        } while (core.keeper().ownedLanes().size() > before && !isBroken.get());
    }

    private static void step(RelayCore core) {
        long idle = LONGEST_PAUSE;
        for (LaneWorker worker : core.workers()) {
            idle = Math.min(idle, worker.step());
        }
        if (idle > 0) {
            LockSupport.parkNanos(idle);
        }
    }

    private static void release(RelayCore core) {
        core.leaveAll();
        long giveUpAt =
                core.context().now() + core.context().options().closeTimeout().toNanos();
        while (!core.ownsNothing() && core.context().now() - giveUpAt < 0) {
            step(core);
        }
        core.context().store().leases().leave(core.context().owner());
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        delivered.incrementAndGet();
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        failed.incrementAndGet();
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        dead.incrementAndGet();
    }

    @Override
    public void unroutable(int lane, OutboxMessage message, String reason) {
        dead.incrementAndGet();
    }

    @Override
    public void unreadable(int lane, MessageId id, String reason) {
        dead.incrementAndGet();
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        isBroken.set(true);
    }
}
