package dev.postrider.spi;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages that a relay sends to a destination one behind the other: those of one key, or of a whole lane under global order. A message
 * without order has a run of its own.
 *
 * <p>A run ends with its first message that is not delivered. The relay learns of that later than the destination, and may send more
 * of the run meanwhile; a destination that keeps {@link KeyOrder#PIPELINED} refuses those. Once the relay knows, it goes on with a new
 * run. Thread-safe.
 */
public final class KeyRun {

    private static final long WHOLE = Long.MAX_VALUE;

    private final LaneTenure tenure;
    private final AtomicLong brokenAt = new AtomicLong(WHOLE);

    /** A run of messages of this lane. */
    public KeyRun(LaneTenure tenure) {
        this.tenure = Objects.requireNonNull(tenure, "tenure");
    }

    /** The tenure of the lane on whose behalf the messages are sent. */
    public LaneTenure tenure() {
        return tenure;
    }

    /** Ends the run: nothing of it begins any more. */
    public void breakOff() {
        breakOffAt(Long.MIN_VALUE);
    }

    /**
     * The same, because of one message.
     *
     * @param position of that message; the destination counts, and a later message of the run has a higher number
     */
    public void breakOffAt(long position) {
        brokenAt.accumulateAndGet(position, Math::min);
    }

    public boolean isBroken() {
        return brokenAt.get() != WHOLE;
    }

    /** Whether the message at this position is behind one that broke off the run. */
    public boolean isBrokenBefore(long position) {
        return brokenAt.get() < position;
    }
}
