package dev.postrider.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of the lanes that a relay owns, in the order that it keeps. Thread-safe, but for the scans.
 *
 * <p>All relays of one outbox must keep the same order ({@link OutboxStore#forRelay}).
 */
public interface RelayStore {

    /** A new scan of the hot table, for one thread. */
    LaneScan openScan();

    /** Where outcomes are recorded. */
    Settlements settlements();

    /** The held table. */
    HeldMessages held();

    /** Moves due messages of these lanes from the delayed to the hot table, by due time, each with a new seq; at most {@code limit}. */
    Released releaseDelayed(Set<Integer> lanes, int limit);

    /**
     * What was moved.
     *
     * @param nextDueIn how long until the next one falls due, zero if more are due now; empty when there is none
     */
    record Released(int count, Optional<Duration> nextDueIn) {}
}
