package dev.postrider.service;

import dev.postrider.micrometer.MessagingMetrics;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.store.jdbc.SchemaMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One outbox whose database was reached: its store, its relay and its maintenance. Thread-safe. */
final class OpenOutbox implements AutoCloseable {

    /** Tells outboxes apart that have the same prefix in different databases. */
    private static final String CONFIG_TAG = "config";

    private final OutboxDatabase database;
    private final OutboxStore store;
    private final PostriderMetrics metrics;
    private final Optional<MessagingMetrics> conventions;
    private final OutboxWork work;

    private OpenOutbox(OutboxDatabase database, OutboxStore store, OutboxConfig config, Shared shared) {
        this.database = database;
        this.store = store;
        this.metrics = PostriderMetrics.builder(store, shared.registry())
                .tags(Tags.of(CONFIG_TAG, config.name()))
                .build();
        this.conventions = shared.conventions();
        try {
            this.work = new OutboxWork(
                    config,
                    store,
                    new OutboxWork.Means(
                            shared.destinations(),
                            metrics.maintenanceListener(),
                            builder -> withMetrics(builder).tracing(shared.tracing())));
        } catch (RuntimeException wrong) {
            metrics.close();
            throw wrong;
        }
    }

    private RelayBuilder withMetrics(RelayBuilder builder) {
        conventions.ifPresent(builder::listener);
        return builder.listener(metrics.relayListener()).failureClassifier(FileWords.CLASSIFIER);
    }

    /**
     * Connects and prepares everything; starts nothing.
     *
     * @throws ConfigException if what the file says does not fit the tables
     */
    static OpenOutbox open(OutboxConfig config, Shared shared) {
        OutboxDatabase database = config.store().createsTables()
                ? OutboxDatabase.openOrCreate(config.database())
                : OutboxDatabase.open(config.database());
        try {
            return new OpenOutbox(database, database.tables(config.store()).open(), config, shared);
        } catch (IllegalArgumentException wrong) {
            database.close();
            throw new ConfigException(
                    "Outbox " + config.name() + ": " + FileWords.of(String.valueOf(wrong.getMessage())), wrong);
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
        return work.relay();
    }

    OutboxDatabase database() {
        return database;
    }

    void start() {
        work.start();
    }

    @Override
    public void close() {
        work.close();
        metrics.close();
        database.close();
    }

    /** What all outboxes of a service use together. */
    record Shared(
            Map<String, Destination> destinations,
            MeterRegistry registry,
            boolean hasConventions,
            TraceContext tracing) {

        Optional<MessagingMetrics> conventions() {
            return hasConventions ? Optional.of(new MessagingMetrics(registry, this::system)) : Optional.empty();
        }

        private String system(String destination) {
            return Objects.requireNonNull(destinations.get(destination)).system();
        }
    }
}
