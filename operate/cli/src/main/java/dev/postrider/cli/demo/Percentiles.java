package dev.postrider.cli.demo;

import java.time.Duration;
import java.util.List;

/** Half of the values are at most the median, 99 of 100 at most p99; all are zero when there are no values. */
record Percentiles(Duration median, Duration p99, Duration highest) {

    static Percentiles of(List<Duration> values) {
        List<Duration> sorted = values.stream().sorted().toList();
        return new Percentiles(nearestRank(sorted, 50), nearestRank(sorted, 99), nearestRank(sorted, 100));
    }

    private static Duration nearestRank(List<Duration> sorted, int percent) {
        if (sorted.isEmpty()) {
            return Duration.ZERO;
        }
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(rank - 1);
    }
}
