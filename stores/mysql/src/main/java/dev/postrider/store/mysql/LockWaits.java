package dev.postrider.store.mysql;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tells which numbers can no longer be hidden by a wait, from the server's count of row lock waits.
 *
 * <p>An insert draws its number and then may wait for a lock on its place in the table. Until it has it, no read shows its row, but
 * the server counts it. A number that was drawn a second before the server counted no wait is therefore written and can
 * be seen, or was written and is gone, or never will be written: a read made after that count tells which.
 *
 * <p>The server must have said so twice. For some microseconds an insert that was granted its lock is not counted, and then it may
 * find its place locked by the next transaction and wait again. MySQL changes its count without a lock, so that it may be off by a
 * few for ever after: a count that was once seen below zero is believed only at its lowest, and one that never comes down to
 * zero proves nothing.
 */
final class LockWaits {

    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private OptionalLong noneAt = OptionalLong.empty();
    private OptionalLong ruledOutBefore = OptionalLong.empty();
    private long lowest;

    /** The server counted this many, at this moment in monotonic nanoseconds or later. */
    void counted(long waits, long sentAt) {
        lowest = Math.min(lowest, waits);
        if (waits > lowest) {
            return;
        }
        if (noneAt.isPresent()) {
            ruledOutBefore = OptionalLong.of(noneAt.getAsLong() - MARGIN_NANOS);
        }
        noneAt = OptionalLong.of(sentAt);
    }

    /** It is known otherwise that no number which was drawn before this moment waits for anything. */
    void ruledOut(long before) {
        ruledOutBefore = OptionalLong.of(before);
    }

    /** No number that was drawn before this moment waits for a lock. */
    OptionalLong ruledOutBefore() {
        return ruledOutBefore;
    }

    /** Keeps how far the count has drifted, which lasts as long as the server runs, and longer does no harm. */
    void forget() {
        noneAt = OptionalLong.empty();
        ruledOutBefore = OptionalLong.empty();
    }
}
