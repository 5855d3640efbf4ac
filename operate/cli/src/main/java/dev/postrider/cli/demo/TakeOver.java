package dev.postrider.cli.demo;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Measures how long the lanes of the killed relay were without an owner. Thread-safe. */
final class TakeOver {

    private final Set<Integer> orphans = new HashSet<>();
    private int lanes;
    private long killedAt;
    private Duration took = Duration.ZERO;

    /** A relay was killed that owned these lanes. */
    synchronized void killed(Set<Integer> owned) {
        killedAt = System.nanoTime();
        lanes = owned.size();
        orphans.addAll(owned);
    }

    /** A living relay has taken this lane. */
    synchronized void taken(int lane) {
        if (orphans.remove(lane) && orphans.isEmpty()) {
            took = Duration.ofNanos(System.nanoTime() - killedAt);
        }
    }

    /** How many lanes the killed relay owned. */
    synchronized int lanes() {
        return lanes;
    }

    /** The time from the kill until the last of its lanes had an owner again; empty while one has none. */
    synchronized Optional<Duration> took() {
        return orphans.isEmpty() ? Optional.of(took) : Optional.empty();
    }
}
