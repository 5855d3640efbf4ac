package dev.postrider.bench.measure;

/**
 * The part of a drain that counts: from the first tenth, when lanes are taken and code is warm, to the end; of a drain that ends with
 * its first batch, everything. Thread-safe.
 */
public final class DrainTimer {

    private final long createdAt = System.nanoTime();
    private final long messages;
    private long countAtStart;
    private long startedAt;
    private long endedAt;

    public DrainTimer(long messages) {
        this.messages = messages;
    }

    /** Records that {@code count} messages are done; returns whether these are all. */
    public synchronized boolean reached(long count) {
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
    public synchronized double rate() {
        return countAtStart >= messages
                ? messages * 1e9 / (endedAt - createdAt)
                : (messages - countAtStart) * 1e9 / (endedAt - startedAt);
    }

    private synchronized Span span() {
        return new Span(createdAt, endedAt);
    }

    /** The result, with what the destination counted. */
    public Round round(long delivered) {
        return new Round(rate(), messages, delivered, span());
    }
}
