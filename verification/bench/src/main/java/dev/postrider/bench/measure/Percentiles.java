package dev.postrider.bench.measure;

import java.util.Arrays;

/** Percentiles by the nearest rank: each is a value that was really measured. Immutable. */
public final class Percentiles {

    private final long[] sorted;

    /** @param nanos the values, at least one, in any order */
    public Percentiles(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("There are no values");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /**
     * In milliseconds.
     *
     * @param share such as 0.99; 1 is the largest
     */
    public double millis(double share) {
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }

    /** The measurement with p50, p95, p99 and the largest. */
    public Measurement addTo(Measurement measurement) {
        return measurement
                .with("p50_ms", millis(0.50))
                .with("p95_ms", millis(0.95))
                .with("p99_ms", millis(0.99))
                .with("max_ms", millis(1));
    }
}
