package dev.postrider.service;

import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.CleanupBuilder;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.relay.Relay;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One outbox whose database was reached: its store, its relay and its maintenance. Thread-safe. */
final class OpenOutbox implements AutoCloseable {

    private final OutboxDatabase database;
    private final OutboxStore store;
    private final Relay relay;
    private final List<Cleanup> cleanups = new ArrayList<>();
    private final List<PartitionKeeper> keepers = new ArrayList<>();

    private OpenOutbox(OutboxDatabase database, OutboxConfig config, Map<String, Destination> destinations) {
        this.database = database;
        this.store = database.tables(config.store()).open();
        this.relay = config.configure(Relay.builder(store, config.routes().router(destinations)))
                .build();
        config.cleanup(store).map(CleanupBuilder::build).ifPresent(cleanups::add);
        config.partitions(store).map(PartitionKeeperBuilder::build).ifPresent(keepers::add);
    }

    /** Connects and prepares everything; starts nothing. */
    static OpenOutbox open(OutboxConfig config, Map<String, Destination> destinations) {
        OutboxDatabase database = OutboxDatabase.open(config.database());
        try {
            return new OpenOutbox(database, config, destinations);
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
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
        database.close();
    }
}
