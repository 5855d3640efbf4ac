package dev.postrider.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When a worker looks at what, in monotonic nanoseconds. What one part finds out concerns others: they tell each other here, and none
 * need know another. Confined to the worker's thread.
 */
final class Agenda {

    private final LongSupplier clock;
    private long fetchAt;
    private boolean isFetchHurried;
    private long heldAt;
    private long retriesAt;
    private long delayedAt;

    Agenda(LongSupplier clock) {
        this.clock = clock;
        lookAtNewLane();
    }

    /** Nothing is known of what a new lane has. */
    void lookAtNewLane() {
        long now = clock.getAsLong();
        hurryFetch();
        heldAt = now;
        retriesAt = now;
        delayedAt = now;
    }

    /** Rows may be there that were passed over so far. */
    void lookAtAll() {
        hurryFetch();
        heldIn(Duration.ZERO);
    }

    /** New rows are expected. */
    void hurryFetch() {
        fetchAt = clock.getAsLong();
        isFetchHurried = true;
    }

    /** Whether somebody has expected rows since the last call. */
    boolean takeFetchHurry() {
        boolean wasHurried = isFetchHurried;
        isFetchHurried = false;
        return wasHurried;
    }

    boolean isFetchHurried() {
        return isFetchHurried;
    }

    void fetchIn(long nanos) {
        fetchAt = clock.getAsLong() + nanos;
    }

    long fetchAt() {
        return fetchAt;
    }

    boolean isFetchDue() {
        return isDue(fetchAt);
    }

    /** Held rows will be due after this delay. */
    void heldIn(Duration delay) {
        long at = clock.getAsLong() + Nanos.of(delay);
        if (at - heldAt < 0) {
            heldAt = at;
        }
    }

    /** The next look at held rows is no sooner than this, unless somebody expects one. */
    void postponeHeld(Duration delay) {
        heldAt = clock.getAsLong() + Nanos.of(delay);
    }

    boolean isHeldDue() {
        return isDue(heldAt);
    }

    long heldAt() {
        return heldAt;
    }

    /** The next look at retries that operators request. */
    void retriesIn(Duration delay) {
        retriesAt = clock.getAsLong() + Nanos.of(delay);
    }

    boolean areRetriesDue() {
        return isDue(retriesAt);
    }

    long retriesAt() {
        return retriesAt;
    }

    void delayedIn(Duration delay) {
        delayedAt = clock.getAsLong() + Nanos.of(delay);
    }

    boolean isDelayedDue() {
        return isDue(delayedAt);
    }

    long delayedAt() {
        return delayedAt;
    }

    private boolean isDue(long at) {
        return clock.getAsLong() - at >= 0;
    }
}
