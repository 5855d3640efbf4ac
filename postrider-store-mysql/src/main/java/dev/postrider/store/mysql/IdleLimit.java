package dev.postrider.store.mysql;

import java.time.Duration;

/**
 * How long a relay's transaction may stand idle before the server ends it: half a lease, so that a process which was stopped
 * inside a transaction, holding the lock of a lane's row, cannot keep others from taking the lane over.
 *
 * <p>The length of a lease is the relay's business; it is learned from the leases that it takes. Thread-safe.
 */
final class IdleLimit {

    private static final Duration BEFORE_THE_FIRST_LEASE = Duration.ofSeconds(10);

    private volatile long seconds = BEFORE_THE_FIRST_LEASE.toSeconds();

    void leaseTaken(Duration timeToLive) {
        seconds = Math.max(1, timeToLive.toSeconds() / 2);
    }

    /** Whole seconds, at least one: {@code wait_timeout} knows nothing shorter. */
    long seconds() {
        return seconds;
    }
}
