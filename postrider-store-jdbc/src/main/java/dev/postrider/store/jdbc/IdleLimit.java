package dev.postrider.store.jdbc;

import java.time.Duration;

/**
 * How long a relay's transaction may stand idle before the server ends it: half a lease, so that a process which was stopped
 * inside a transaction, holding the lock of a lane's row, cannot keep others from taking the lane over.
 *
 * <p>The length of a lease is the relay's business; it is learned from the leases that it takes. Thread-safe.
 */
final class IdleLimit {

    private static final Duration BEFORE_THE_FIRST_LEASE = Duration.ofSeconds(10);

    private volatile Duration limit = BEFORE_THE_FIRST_LEASE;

    void leaseTaken(Duration timeToLive) {
        limit = timeToLive.dividedBy(2);
    }

    Duration get() {
        return limit;
    }
}
