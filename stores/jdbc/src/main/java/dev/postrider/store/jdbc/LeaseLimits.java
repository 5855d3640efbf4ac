package dev.postrider.store.jdbc;

import java.time.Duration;

/**
 * How long parts of a relay's transaction may take, so that its leases survive a fault.
 *
 * <p>The length of a lease is the relay's business; it is learned from the leases that it takes. Thread-safe.
 */
final class LeaseLimits {

    private static final Duration BEFORE_THE_FIRST_LEASE = Duration.ofSeconds(20);

    private volatile Duration lease = BEFORE_THE_FIRST_LEASE;

    void leaseIs(Duration timeToLive) {
        lease = timeToLive;
    }

    /** How long the relay's leases are. */
    Duration lease() {
        return lease;
    }

    /** For a connection. Then another try, and one more, still comes before the lease is over. */
    Duration connection() {
        return lease.dividedBy(4);
    }

    /** For the next bytes from the server: a connection that is silent for longer counts as dead. */
    Duration answer() {
        return lease.dividedBy(2);
    }

    /**
     * For one statement, at the server, where it can tell: before the client gives up, so that no statement goes on there for a
     * client that has left.
     */
    Duration statement() {
        return lease.multipliedBy(9).dividedBy(20);
    }

    /**
     * For an open transaction without a statement, at the server: a process that was stopped inside a transaction, holding the
     * lock of a lane's row, cannot keep others from taking the lane over.
     */
    Duration idle() {
        return lease.dividedBy(2);
    }
}
