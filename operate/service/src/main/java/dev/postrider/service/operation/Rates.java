package dev.postrider.service.operation;

import dev.postrider.service.database.TableCounters.Sample;

/**
 * How fast messages come and go, each a second, about.
 *
 * @param delivered rows that left the hot table; those that were held or given up are among them
 */
public record Rates(double enqueued, double delivered) {

    /** The rates between two samples; 0 if the server started its count over in between. */
    public static Rates between(Sample earlier, Sample later) {
        double seconds = Math.max(1, later.nanoTime() - earlier.nanoTime()) / 1e9;
        return new Rates(
                Math.max(0, later.came() - earlier.came()) / seconds,
                Math.max(0, later.went() - earlier.went()) / seconds);
    }
}
