package dev.postrider.relay;

/**
 * How many messages of a worker may be in flight to a destination now: few at first, one more for each send that ends quickly, one fewer for each
 * that does not.
 *
 * <p>Many in flight are what a fast destination needs, one that collects messages in transactions above all. The same number would keep a slow
 * destination busy for longer than a send may take.
 */
final class InFlightWindow {

    private final int first;
    private final int max;
    private final long quickNanos;
    private int size;

    InFlightWindow(RelayOptions options) {
        this.first = options.firstInFlightPerWorker();
        this.max = options.maxInFlightPerWorker();
        this.quickNanos = options.quickSend().toNanos();
        this.size = first;
    }

    int size() {
        return size;
    }

    /**
     * A send has ended.
     *
     * @param inFlight how many were in flight with it; a window that is not used says nothing about a larger one
     */
    void ended(long tookNanos, int inFlight) {
        if (tookNanos > quickNanos) {
            size = Math.max(first, size - 1);
        } else if (size < max && inFlight >= size / 2) {
            size++;
        }
    }
}
