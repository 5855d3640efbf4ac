package dev.postrider.cli.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A relay with connections of its own, as if it ran in a process of its own. Thread-safe. */
final class DemoRelay implements AutoCloseable {

    private static final int CONNECTIONS = 3;

    private final HikariDataSource connections;
    private final Relay relay;
    private volatile boolean isKilled;

    DemoRelay(DemoDatabase database, Destination destination, RelayListener listener, Duration lease) {
        connections = database.connections(CONNECTIONS);
        OutboxStore store = database.store(connections);
        relay = Relay.builder(store, new WhileAlive(destination))
                .lease(lease)
                // Several relays share this process, and with it the processors.
                .workers(1)
                .listener(listener)
                .build();
    }

    void start() {
        relay.start();
    }

    /**
     * Ends it as a kill signal ends a process: from now on it reaches neither the database nor the broker, and learns of nothing that it
     * has sent.
     */
    void kill() {
        isKilled = true;
        connections.close();
        // What it could still do it would do in vain: end its threads, though not on one of them.
        Thread end = new Thread(relay::close, "demo-end-of-killed-relay");
        end.setDaemon(true);
        end.start();
    }

    boolean isKilled() {
        return isKilled;
    }

    Set<Integer> lanes() {
        return relay.ownedLanes();
    }

    /** Stops it cleanly; a killed one stays as it is. */
    @Override
    public void close() {
        if (!isKilled) {
            relay.close();
            connections.close();
        }
    }

    private final class WhileAlive extends ForwardingDestination {

        WhileAlive(Destination target) {
            super(target);
        }

        @Override
        protected CompletionStage<DeliveryResult> send(
                OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
            CompletionStage<DeliveryResult> sending = isKilled ? new CompletableFuture<>() : onward.get();
            return isKilled ? new CompletableFuture<>() : sending;
        }
    }
}
