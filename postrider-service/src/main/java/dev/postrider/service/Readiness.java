package dev.postrider.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which outboxes are not being delivered as they should, and why. Asks the databases at most once a second, however often it is
 * asked. Thread-safe.
 */
final class Readiness {

    private static final long FRESH_NANOS = 1_000_000_000L;

    private final List<OutboxRunner> runners;
    private final LongSupplier nanoTime;
    private Map<String, Optional<String>> known = Map.of();
    private long knownAt;

    Readiness(List<OutboxRunner> runners) {
        this(runners, System::nanoTime);
    }

    Readiness(List<OutboxRunner> runners, LongSupplier nanoTime) {
        this.runners = List.copyOf(runners);
        this.nanoTime = nanoTime;
    }

    /** By name of the outbox: what is wrong, if anything is. */
    synchronized Map<String, Optional<String>> problems() {
        if (known.isEmpty() || nanoTime.getAsLong() - knownAt > FRESH_NANOS) {
            Map<String, Optional<String>> found = new LinkedHashMap<>();
            runners.forEach(runner -> found.put(runner.name(), runner.problem()));
            known = found;
            knownAt = nanoTime.getAsLong();
        }
        return known;
    }
}
