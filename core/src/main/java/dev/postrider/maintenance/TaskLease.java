package dev.postrider.maintenance;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.Readable;
import dev.postrider.spi.Maintenance;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.LoggerFactory;

/**
 * The right to run a task, for one run: each has an owner id of its own, so that two runs in one process exclude each other
 * too. For one thread.
 */
final class TaskLease implements AutoCloseable {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(TaskLease.class));
    private static final int RENEWALS_PER_LEASE = 3;

    private final Maintenance maintenance;
    private final String task;
    private final String owner;
    private final Duration timeToLive;
    private long prolongAt;
    private boolean isHeld = true;

    private TaskLease(Maintenance maintenance, String task, String owner, Duration timeToLive, long takenAt) {
        this.maintenance = maintenance;
        this.task = task;
        this.owner = owner;
        this.timeToLive = timeToLive;
        scheduleProlonging(takenAt);
    }

    /** Empty when another runner has it. */
    static Optional<TaskLease> take(Maintenance maintenance, String task, Duration timeToLive) {
        String owner = UUID.randomUUID().toString();
        long now = System.nanoTime();
        return maintenance.takeTask(task, owner, timeToLive)
                ? Optional.of(new TaskLease(maintenance, task, owner, timeToLive, now))
                : Optional.empty();
    }

    /** Prolongs the lease in good time; false once it is lost. To be asked between two statements. */
    boolean isHeld() {
        long now = System.nanoTime();
        if (isHeld && now - prolongAt >= 0) {
            isHeld = maintenance.takeTask(task, owner, timeToLive);
            // Only now: after a failure nobody may go on without asking again.
            scheduleProlonging(now);
        }
        return isHeld;
    }

    private void scheduleProlonging(long now) {
        prolongAt = now + timeToLive.dividedBy(RENEWALS_PER_LEASE).toNanos();
    }

    @Override
    public void close() {
        try {
            maintenance.releaseTask(task, owner);
        } catch (RuntimeException failure) {
            LOG.warn(
                    task,
                    failure,
                    "Could not release task {}; it is free again in {}",
                    task,
                    Readable.time(timeToLive));
        }
    }
}
