package dev.postrider.relay;

/**
 * How much a destination may have in memory once it was found to be slow; without bound before.
 *
 * <p>When the window is full, rows that lead there are passed over. It can open again, a moment later at the earliest, when
 * half of it has left. It doubles when sends ended quickly meanwhile, until it is no bound any more.
 */
final class SlowWindow {

    /** Even where other workers take all that may be in flight. */
    private static final int SMALLEST_ROWS = 4;

    private static final long SMALLEST_BYTES = 64L << 10;

    /** A destination that ends half a window in this time is quick; and the shortest time that a window stays full. */
    private static final long QUICK_NANOS = 250_000_000L;

    private final int enoughRows;
    private int maxRows = Integer.MAX_VALUE;
    private long maxBytes = Long.MAX_VALUE;
    private boolean isFull;
    private long fullSince;
    private long sendsEnded;

    /** @param enoughRows a window of this many rows is no longer a bound */
    SlowWindow(int enoughRows) {
        this.enoughRows = enoughRows;
    }

    /** The destination is slow, and only this much of it, which is in flight, stays in memory. */
    void begin(int rowsInFlight, long bytesInFlight, long now) {
        maxRows = Math.max(SMALLEST_ROWS, rowsInFlight);
        maxBytes = Math.max(SMALLEST_BYTES, bytesInFlight);
        fill(now);
    }

    /** Tells how much is in memory now. */
    void grewTo(int rows, long bytes, long now) {
        if (!isFull && (rows >= maxRows || bytes >= maxBytes)) {
            fill(now);
        }
    }

    private void fill(long now) {
        isFull = true;
        fullSince = now;
        sendsEnded = 0;
    }

    void sendEnded() {
        sendsEnded++;
    }

    /** Whether there is a bound at all. */
    boolean isBound() {
        return maxRows != Integer.MAX_VALUE;
    }

    /** Whether rows that lead to the destination are passed over. */
    boolean isFull() {
        return isFull;
    }

    long fullSince() {
        return fullSince;
    }

    /** The earliest time at which it can open. */
    long openableAt() {
        return fullSince + QUICK_NANOS;
    }

    boolean isHalfEmpty(int rows, long bytes) {
        return rows <= maxRows / 2 && bytes <= maxBytes / 2;
    }

    /** Lets the destination get rows again. The caller reads again everything that was passed over. */
    void open(long now) {
        isFull = false;
        boolean wasQuick = (double) sendsEnded * QUICK_NANOS >= (double) (now - fullSince) * maxRows / 2;
        if (wasQuick) {
            widen();
        }
    }

    private void widen() {
        boolean isEnough = maxRows >= enoughRows / 2;
        maxRows = isEnough ? Integer.MAX_VALUE : 2 * maxRows;
        maxBytes = isEnough ? Long.MAX_VALUE : 2 * maxBytes;
    }
}
