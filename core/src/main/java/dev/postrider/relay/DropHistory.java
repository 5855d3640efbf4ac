package dev.postrider.relay;

/**
 * How often the connection of a destination that is known to be up has dropped, so that a message may be to blame. For {@link
 * CircuitBreaker}, under its lock.
 *
 * <p>Known to be up means that the destination said so or that something got through. From the second such drop on, messages go one at a
 * time, and the one that is alone in flight when the connection drops again is to blame. After many successes in a row all is forgotten.
 */
final class DropHistory {

    /** After this many successes in a row, a drop of the connection is no longer held against single messages. */
    private static final int SUCCESSES_TO_TRUST = 100;

    private final int successesToTrust;
    private boolean hasDropped;
    private boolean isHealthySince;
    private int dropsWhileHealthy;
    private int successes;

    DropHistory(int maxInFlight) {
        this.successesToTrust = Math.min(maxInFlight, SUCCESSES_TO_TRUST);
    }

    void dropped() {
        // Not if it was down because messages failed, each for itself: then this is the first drop.
        if (hasDropped && isHealthySince) {
            dropsWhileHealthy++;
        }
        hasDropped = true;
        isHealthySince = false;
    }

    /** The destination is down, because of a drop or of other failures. */
    void wentDown() {
        successes = 0;
    }

    /** What is known of the destination since the last drop. */
    void foundHealthy(boolean isHealthy) {
        isHealthySince = isHealthy;
    }

    boolean isHealthySince() {
        return isHealthySince;
    }

    void succeeded() {
        if (++successes >= successesToTrust) {
            dropsWhileHealthy = 0;
            // A drop long after this is an outage of its own, not the second of a series.
            isHealthySince = false;
            hasDropped = false;
        }
    }

    /** Whether messages go one at a time, so that the next drop shows who is to blame. */
    boolean isSuspicious() {
        return dropsWhileHealthy >= 1;
    }

    /** Whether a message is to blame that was alone in flight when the connection dropped. */
    boolean blamesWhoWasAlone() {
        return isSuspicious() && isHealthySince;
    }
}
