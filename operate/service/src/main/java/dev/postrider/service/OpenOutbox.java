package dev.postrider.service;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.relay.Relay;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One outbox whose database was reached: its store, its relay and its maintenance. Thread-safe. */
final class OpenOutbox implements AutoCloseable {

    /** Tells outboxes apart that have the same prefix in different databases. */
    private static final String CONFIG_TAG = "config";

    private final OutboxDatabase database;
    private final OutboxStore store;
    private final PostriderMetrics metrics;
    private final Relay relay;
    private final List<Cleanup> cleanups = new ArrayList<>();
    private final List<PartitionKeeper> keepers = new ArrayList<>();

    private OpenOutbox(OutboxDatabase database, OutboxStore store, OutboxConfig config, Shared shared) {
        this.database = database;
        this.store = store;
        this.metrics = PostriderMetrics.builder(store, shared.registry())
                .tags(Tags.of(CONFIG_TAG, config.name()))
                .build();
        try {
            this.relay = config.configure(Relay.builder(store, config.routes().router(shared.destinations())))
                    .listener(metrics.relayListener())
                    .failureClassifier(FileWords.CLASSIFIER)
                    .build();
            config.cleanup(store)
                    .map(builder ->
                            builder.listener(metrics.maintenanceListener()).build())
                    .ifPresent(cleanups::add);
            config.partitions(store)
                    .map(builder ->
                            builder.listener(metrics.maintenanceListener()).build())
                    .ifPresent(keepers::add);
        } catch (RuntimeException wrong) {
            metrics.close();
            throw wrong;
        }
    }

    /** Connects and prepares everything; starts nothing. */
    static OpenOutbox open(OutboxConfig config, Shared shared) {
        OutboxDatabase database = config.store().createsTables()
                ? OutboxDatabase.openOrCreate(config.database())
                : OutboxDatabase.open(config.database());
        try {
            return new OpenOutbox(database, database.tables(config.store()).open(), config, shared);
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
    }

    /** Prepares everything over tables that are there, whatever the schema mode is. Creates nothing. */
    static OpenOutbox check(OutboxDatabase database, OutboxConfig config, Shared shared) {
        OutboxTables tables = database.tables(config.store());
        OutboxStore store = config.store().createsTables() ? tables.open(SchemaMode.VERIFY) : tables.open();
        return new OpenOutbox(database, store, config, shared);
    }

    OutboxStore store() {
        return store;
    }

    Relay relay() {
        return relay;
    }

    OutboxDatabase database() {
        return database;
    }

    void start() {
        keepers.forEach(PartitionKeeper::start);
        cleanups.forEach(Cleanup::start);
        relay.start();
    }

    /** The relay first: it has messages in flight, which end soonest if nothing else is waited for. */
    @Override
    public void close() {
        relay.close();
        cleanups.forEach(Cleanup::close);
        keepers.forEach(PartitionKeeper::close);
        metrics.close();
        database.close();
    }

    /** What all outboxes of a service use together. */
    record Shared(Map<String, Destination> destinations, MeterRegistry registry) {}
}
