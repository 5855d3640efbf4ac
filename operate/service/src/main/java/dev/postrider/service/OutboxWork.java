package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What a process does for one outbox, as its configuration says: it relays and keeps the outbox small. Thread-safe. */
@Internal
public final class OutboxWork implements AutoCloseable {

    private final Relay relay;
    private final Optional<Cleanup> cleanup;
    private final Optional<PartitionKeeper> partitions;

    /** Prepares everything; starts nothing. */
    public OutboxWork(OutboxConfig config, OutboxStore store, Means means) {
        this.relay = means.more()
                .apply(config.configure(Relay.builder(store, config.routes().router(means.destinations()))))
                .build();
        this.cleanup = config.cleanup(store)
                .map(builder -> builder.listener(means.maintenanceListener()).build());
        this.partitions = config.partitions(store)
                .map(builder -> builder.listener(means.maintenanceListener()).build());
    }

    public Relay relay() {
        return relay;
    }

    public void start() {
        partitions.ifPresent(PartitionKeeper::start);
        cleanup.ifPresent(Cleanup::start);
        relay.start();
    }

    /** The relay first: it has messages in flight, which end soonest if nothing else is waited for. */
    @Override
    public void close() {
        relay.close();
        cleanup.ifPresent(Cleanup::close);
        partitions.ifPresent(PartitionKeeper::close);
    }

    /**
     * What it works with.
     *
     * @param destinations by name
     * @param more calls of the relay's builder beyond those of the configuration
     */
    public record Means(
            Map<String, Destination> destinations,
            MaintenanceListener maintenanceListener,
            UnaryOperator<RelayBuilder> more) {}
}
