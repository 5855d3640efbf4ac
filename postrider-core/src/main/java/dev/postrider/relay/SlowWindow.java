package dev.postrider.relay;

/**
 * How many rows a destination may have in memory once it was found to be slow; without bound before.
 *
 * <p>When the window is full, rows that lead there are passed over. It opens again, a moment later at the earliest, when half
 * of its rows have left. If sends ended quickly meanwhile the destination is slow no more.
 */
final class SlowWindow {

    /** Even where other workers take all that may be in flight. */
    private static final int SMALLEST = 16;

    /** A destination that ends half a window in this time is slow no more; and the shortest time that a window stays full. */
    private static final long QUICK_NANOS = 250_000_000L;

    private int size = Integer.MAX_VALUE;
    private boolean isFull;
    private long fullSince;
    private long sendsEnded;

    /** The destination is slow, and only these rows of it, which are in flight, stay in memory. */
    void begin(int rowsInFlight, long now) {
        size = Math.max(SMALLEST, rowsInFlight);
        fill(now);
    }

    /** So many rows are in memory now. */
    void grewTo(int rows, long now) {
        if (!isFull && rows >= size) {
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

    /** Whether rows that lead to the destination are passed over, and those in memory take no room from others. */
    boolean isFull() {
        return isFull;
    }

    boolean canOpen(int rows, long now) {
        return isFull && rows <= size / 2 && now - openableAt() >= 0;
    }

    /** The earliest time at which it may open. */
    long openableAt() {
        return fullSince + QUICK_NANOS;
    }

    /** Lets the destination get rows again. The caller has everything read anew that was passed over. */
    void open(long now) {
        isFull = false;
        boolean wasQuick = (double) sendsEnded * QUICK_NANOS >= (double) (now - fullSince) * size / 2;
        if (wasQuick) {
            size = Integer.MAX_VALUE;
        }
    }
}
