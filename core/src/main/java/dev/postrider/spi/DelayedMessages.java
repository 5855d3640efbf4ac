package dev.postrider.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The delayed table, as the owner of lanes uses it. Thread-safe. */
public interface DelayedMessages {

    /** Moves due messages of these lanes into the hot table, by due time, each with a new seq; at most {@code limit}. */
    Released release(Set<Integer> lanes, int limit);

    /**
     * What was moved.
     *
     * @param nextDueIn how long until the next one falls due, zero if more are due now; empty when there is none
     */
    record Released(int count, Optional<Duration> nextDueIn) {}
}
