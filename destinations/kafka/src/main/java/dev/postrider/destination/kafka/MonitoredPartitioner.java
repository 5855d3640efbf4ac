package dev.postrider.destination.kafka;

import dev.postrider.internal.Internal;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;

/** The same with the metrics that Kafka's clients offer since 4.1. Older ones, as in Spring Boot 3.5, lack the types that this one names. */
@Internal
public final class MonitoredPartitioner extends ContainedPartitioner implements Monitorable {

    /** Without a partitioner until it is configured. */
    public MonitoredPartitioner() {}

    @Override
    public void withPluginMetrics(PluginMetrics metrics) {
        if (own() instanceof Monitorable monitorable) {
            monitorable.withPluginMetrics(metrics);
        }
    }
}
