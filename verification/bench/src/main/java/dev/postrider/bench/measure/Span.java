package dev.postrider.bench.measure;

/**
 * A piece of time.
 *
 * @param from by {@link System#nanoTime()}
 * @param to by {@link System#nanoTime()}, later than the other
 */
public record Span(long from, long to) {

    /** Until now. */
    public static Span since(long from) {
        return new Span(from, System.nanoTime());
    }

    /** How long it is. */
    public long nanos() {
        return to - from;
    }
}
