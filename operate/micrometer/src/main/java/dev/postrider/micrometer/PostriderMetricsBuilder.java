package dev.postrider.micrometer;

import dev.postrider.internal.Range;
import dev.postrider.spi.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Objects;

/** Collects the options of {@link PostriderMetrics}. A bad value is refused at once. Not thread-safe. */
public final class PostriderMetricsBuilder {

    private final OutboxStore store;
    private final MeterRegistry registry;
    private Duration statsInterval = Duration.ofSeconds(15);
    private Tags tags = Tags.empty();

    PostriderMetricsBuilder(OutboxStore store, MeterRegistry registry) {
        this.store = Objects.requireNonNull(store, "store");
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    /** How often the outbox's statistics are read, at most. Default: 15 seconds. Range: 100 ms to 1 hour. */
    public PostriderMetricsBuilder statsInterval(Duration value) {
        this.statsInterval = Range.of("statsInterval", value, Duration.ofMillis(100), Duration.ofHours(1));
        return this;
    }

    /** Tags that all meters get besides their own. Default: none. */
    public PostriderMetricsBuilder tags(Tags value) {
        this.tags = Objects.requireNonNull(value, "tags");
        return this;
    }

    /** Registers the meters and begins to read statistics. */
    public PostriderMetrics build() {
        Meters meters = new Meters(registry, tags.and(PostriderMeter.OUTBOX_TAG, store.name()));
        StatsThread thread = new StatsThread(
                store::stats, new StatsMeters(meters), meters.counter(PostriderMeter.STATS_FAILURES), statsInterval);
        return new PostriderMetrics(meters, thread);
    }
}
