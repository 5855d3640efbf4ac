package dev.postrider.benchpeers;

/**
 * The part of a drain that counts: from the first tenth, when lanes are taken and code is warm, to the end. Thread-safe.
 */
final class Stretch {

    private final long messages;
    private long countAtStart;
    private long startedAt;
    private long endedAt;

    Stretch(long messages) {
        this.messages = messages;
    }

    /** So many are done; returns whether that is all. */
    synchronized boolean reached(long count) {
        long now = System.nanoTime();
        if (startedAt == 0 && count >= messages / 10) {
            startedAt = now;
            countAtStart = count;
        }
        if (count >= messages && endedAt == 0) {
            endedAt = now;
        }
        return count >= messages;
    }

    /** Messages per second. */
    synchronized double rate() {
        return (messages - countAtStart) * 1e9 / Math.max(1, endedAt - startedAt);
    }
}
