package dev.postrider.relay;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rows that were read together.
 *
 * @param number tells it from all others of this process, in logs
 * @param databaseTime when it was read, by the database's clock
 * @param readAt the same in monotonic nanoseconds
 */
record Batch(long number, Instant databaseTime, long readAt) {

    private static final AtomicLong LAST = new AtomicLong();

    static Batch read(Instant databaseTime, long now) {
        return new Batch(LAST.incrementAndGet(), databaseTime, now);
    }
}
