package dev.postrider.spi.internal;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Delivered;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.KeyRun;
import org.jspecify.annotations.Nullable;

/**
 * Where a message stands in its run, and so what its end means for those behind it. Thread-safe.
 *
 * @param run null for a message without order
 * @param position grows from each message of a run to the next
 */
public record RunPosition(@Nullable KeyRun run, long position) {

    public static final RunPosition NONE = new RunPosition(null, 0);

    static final DeliveryResult BROKEN_OFF =
            DeliveryResult.abandoned("An earlier message of its key was not delivered");

    /** Whether an earlier one of its run has failed, so that it must not go out. */
    boolean isBehindFailed() {
        return run != null && run.isBrokenBefore(position);
    }

    /** Lets nothing go out behind this one. */
    void breakBehind() {
        if (run != null) {
            run.breakOffAt(position);
        }
    }

    /** How a message ends that met this: one that was not delivered breaks off its run before anybody learns of that. */
    DeliveryResult end(DeliveryResult met) {
        if (met instanceof Delivered) {
            return isBehindFailed() ? BROKEN_OFF : met;
        }
        if (!(met instanceof Reject)) {
            breakBehind();
        }
        return met;
    }
}
