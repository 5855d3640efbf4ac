package dev.postrider.destination.rabbitmq;

import java.time.Duration;

/** Pauses that double from the shortest to the longest. */
record Backoff(Duration shortest, Duration longest) {

    /** The pause after this many failures, counted from one. */
    Duration before(int failures) {
        int doublings = Math.min(Math.max(failures, 1) - 1, 30);
        Duration pause = shortest.multipliedBy(1L << doublings);
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
