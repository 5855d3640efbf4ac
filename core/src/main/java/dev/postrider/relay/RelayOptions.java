package dev.postrider.relay;

import dev.postrider.spi.Destination;
import dev.postrider.spi.FailureClassifier;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.Optional;

/** The checked options of a relay; {@link RelayBuilder} documents each. */
record RelayOptions(
        Ordering ordering,
        OnExhausted onExhausted,
        int maxAttempts,
        Backoff backoff,
        Backoff outageBackoff,
        Optional<Duration> unavailableLimit,
        FailureClassifier failureClassifier,
        int workers,
        int batchSize,
        int maxInFlight,
        int maxInFlightPerKey,
        long maxInFlightBytes,
        Duration lease,
        Duration deliveryTimeout,
        Duration minPollInterval,
        Duration maxPollInterval,
        Duration settleDelay,
        Duration housekeepingInterval,
        Duration sweepInterval,
        Duration closeTimeout) {

    private static final int FIRST_IN_FLIGHT = 1000;
    private static final Duration QUICK_SEND = Duration.ofMillis(500);

    /** Whether a message of this age that meets an unavailable place is given up. */
    boolean isPastUnavailableLimit(Duration age) {
        return unavailableLimit.filter(limit -> age.compareTo(limit) >= 0).isPresent();
    }

    /** How long before the end of a lease the last send must have begun, so that it ends within the lease. */
    Duration sendMargin() {
        return deliveryTimeout;
    }

    /** Rows in flight per worker. */
    int maxInFlightPerWorker() {
        return Math.max(1, maxInFlight / workers);
    }

    /** The same until a destination has shown that it is quick. */
    int firstInFlightPerWorker() {
        return Math.max(1, Math.min(maxInFlight, FIRST_IN_FLIGHT) / workers);
    }

    /**
     * A send that ends in this time leaves room for many more before any of them is overdue. Also well below the time after which a destination
     * that makes no room counts as slow.
     */
    Duration quickSend() {
        Duration share = deliveryTimeout.dividedBy(20);
        return share.compareTo(QUICK_SEND) < 0 ? share : QUICK_SEND;
    }

    /**
     * How many messages that must keep their order may be in flight. Where a rejection does not end a message for good, the next one may
     * not have begun.
     */
    int maxInFlightPerLine(Destination destination) {
        boolean isPipelined = destination.keyOrder() == KeyOrder.PIPELINED
                && onExhausted == OnExhausted.DEAD_LETTER
                && failureClassifier.keepsRejections();
        return isPipelined ? maxInFlightPerKey : 1;
    }

    long maxInFlightBytesPerWorker() {
        return Math.max(1, maxInFlightBytes / workers);
    }

    /** Rows in memory per worker: those in flight and as many again waiting. More while more are in flight. */
    int maxRowsPerWorker() {
        return maxRowsWith(firstInFlightPerWorker());
    }

    /** The same with this many in flight. */
    int maxRowsWith(int inFlight) {
        return 2 * Math.max(batchSize, inFlight);
    }

    long maxBytesPerWorker() {
        return 2 * maxInFlightBytesPerWorker();
    }
}
