package dev.postrider.console;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** An answer that counts for a while, however many ask: one asks the database, the others wait for that. Thread-safe. */
final class Cached<T> {

    private final Duration fresh;
    private final Supplier<T> source;
    private Optional<T> known = Optional.empty();
    private long knownAt;

    Cached(Duration fresh, Supplier<T> source) {
        this.fresh = fresh;
        this.source = source;
    }

    synchronized T get() {
        if (known.isEmpty() || System.nanoTime() - knownAt > fresh.toNanos()) {
            known = Optional.of(source.get());
            knownAt = System.nanoTime();
        }
        return known.get();
    }

    /** The next one who asks gets a new answer. */
    synchronized void forget() {
        known = Optional.empty();
    }
}
