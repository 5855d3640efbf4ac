package dev.postrider.store.mysql;

import java.util.concurrent.TimeUnit;

/**
 * The highest seq that was seen long enough ago.
 *
 * <p>Numbers are drawn in order, so when a row was seen every lower number had been drawn. Between drawing its number and
 * writing its row a writer needs microseconds; after a second the row can be seen, by a dirty read at least. (A writer that
 * stalls right there for longer is what the relay's sweep is for.)
 */
final class TrailingSeq {

    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long seen;
    private long seenAt;
    private long ripe;

    /** A row with this seq existed at this time, in monotonic nanoseconds. */
    void saw(long seq, long nanos) {
        if (seen > ripe && nanos - seenAt < MARGIN_NANOS) {
            return;
        }
        ripe = seen;
        if (seq > seen) {
            seen = seq;
            seenAt = nanos;
        }
    }

    /** Every lower number was drawn a second or more before. */
    long ripe(long nanos) {
        if (seen > ripe && nanos - seenAt >= MARGIN_NANOS) {
            ripe = seen;
        }
        return ripe;
    }

    void forget() {
        seen = 0;
        ripe = 0;
    }
}
