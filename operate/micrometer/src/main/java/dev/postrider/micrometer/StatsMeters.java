package dev.postrider.micrometer;

import dev.postrider.spi.OutboxStats;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows the last statistics that were read. A scrape reads memory only; without fresh statistics the gauges show no number
 * (NaN) rather than an old one.
 */
final class StatsMeters {

    private volatile @Nullable OutboxStats last;

    StatsMeters(Meters meters) {
        meters.gauge(PostriderMeter.UNDELIVERED, shown(OutboxStats::undelivered));
        meters.gauge(PostriderMeter.WAITING, shown(OutboxStats::held));
        meters.gauge(PostriderMeter.DELAYED, shown(OutboxStats::delayed));
        meters.gauge(PostriderMeter.DEAD_LETTERS, shown(OutboxStats::dead));
        meters.gauge(PostriderMeter.KEPT, shown(stats -> stats.kept().rows()));
        meters.timeGauge(
                PostriderMeter.OLDEST_AGE, shown(stats -> stats.oldestAge().toMillis()));
    }

    void show(OutboxStats stats) {
        last = stats;
    }

    void showNothing() {
        last = null;
    }

    private Supplier<Number> shown(ToDoubleFunction<OutboxStats> number) {
        return () -> {
            OutboxStats stats = last;
            return stats == null ? Double.NaN : number.applyAsDouble(stats);
        };
    }
}
