package dev.postrider.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Registers our meters, each with the tags that it should have. Thread-safe. */
final class Meters {

    /** From an idle broker next door to a backlog of an hour. */
    private static final Duration[] DELAYS = {
        Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50),
        Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1),
        Duration.ofMillis(2500), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30),
        Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofHours(1)
    };

    private final MeterRegistry registry;
    private final Tags common;
    private final List<Meter> gauges = new CopyOnWriteArrayList<>();

    Meters(MeterRegistry registry, Tags common) {
        this.registry = registry;
        this.common = common;
    }

    Counter counter(PostriderMeter meter, String... values) {
        return Counter.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    Timer timer(PostriderMeter meter, String... values) {
        return Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    Timer histogram(PostriderMeter meter, String... values) {
        return Timer.builder(meter.meterName())
                .description(meter.description())
                .tags(tags(meter, values))
                .serviceLevelObjectives(DELAYS)
                .register(registry);
    }

    DistributionSummary summary(PostriderMeter meter, String... values) {
        return DistributionSummary.builder(meter.meterName())
                .description(meter.description())
                .baseUnit("rows")
                .tags(tags(meter, values))
                .register(registry);
    }

    void gauge(PostriderMeter meter, Supplier<Number> value, String... values) {
        gauges.add(Gauge.builder(meter.meterName(), value)
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry));
    }

    void timeGauge(PostriderMeter meter, Supplier<Number> millis, String... values) {
        gauges.add(TimeGauge.builder(meter.meterName(), millis, TimeUnit.MILLISECONDS)
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry));
    }

    /** Gauges would go on to show the last value; counters and timers stay, for the last scrape. */
    void removeGauges() {
        gauges.forEach(registry::remove);
        gauges.clear();
    }

    private Tags tags(PostriderMeter meter, String... values) {
        List<String> keys = meter.tags();
        Tags tags = common;
        for (int i = 0; i < keys.size(); i++) {
            tags = tags.and(Tag.of(keys.get(i), values[i]));
        }
        return tags;
    }
}
