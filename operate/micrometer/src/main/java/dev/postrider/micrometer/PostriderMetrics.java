package dev.postrider.micrometer;

import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of one outbox in a Micrometer registry: what {@link PostriderMeter} lists.
 *
 * <p>One for each outbox and registry; its listeners may be given to any number of relays and maintenance objects. Scrapes
 * read memory only: a thread of its own reads the outbox's statistics now and then. Thread-safe. {@link #close()} ends that
 * thread and takes the gauges away; close it after the relays.
 *
 * <pre>{@code
 * PostriderMetrics metrics = PostriderMetrics.of(store, registry);
 * Relay relay = Relay.builder(store, destination).listener(metrics.relayListener()).build();
 * }</pre>
 */
public final class PostriderMetrics implements AutoCloseable {

    private final Meters meters;
    private final RelayListener relayListener;
    private final MaintenanceListener maintenanceListener;
    private final StatsThread statsThread;

    PostriderMetrics(Meters meters, StatsThread statsThread) {
        this.meters = meters;
        this.relayListener = new RelayMeters(meters);
        this.maintenanceListener = new MaintenanceMeters(meters);
        this.statsThread = statsThread;
        statsThread.start();
    }

    /** The meters of this outbox, with every option at its default. */
    public static PostriderMetrics of(OutboxStore store, MeterRegistry registry) {
        return builder(store, registry).build();
    }

    public static PostriderMetricsBuilder builder(OutboxStore store, MeterRegistry registry) {
        return new PostriderMetricsBuilder(store, registry);
    }

    /** The listener to pass to {@code Relay.builder(…).listener(…)}. */
    public RelayListener relayListener() {
        return relayListener;
    }

    /** The listener to pass to the builders of {@code Cleanup} and {@code PartitionKeeper}. */
    public MaintenanceListener maintenanceListener() {
        return maintenanceListener;
    }

    @Override
    public void close() {
        statsThread.close();
        meters.removeGauges();
    }
}
