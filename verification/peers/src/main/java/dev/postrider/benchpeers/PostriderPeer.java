package dev.postrider.benchpeers;

import dev.postrider.Outbox;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Postrider, measured as its peers are. */
final class PostriderPeer implements Peer {

    @Override
    public String name() {
        return "postrider";
    }

    @Override
    public String settings() {
        return "every option at its default";
    }

    @Override
    public int divisor() {
        return 1;
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return true;
    }

    /** Empty: the tables go with the outbox. */
    @Override
    public List<String> tables() {
        return List.of();
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) {
        BenchOutbox tables = database.openOutbox(settings -> {});
        Relay relay = Relay.withDefaults(tables.store(), new Nowhere(deliveries));
        return new Opened(tables, Outbox.withDefaults(tables.store()), relay);
    }

    private record Opened(BenchOutbox tables, Outbox outbox, Relay relay) implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) throws SQLException {
            List<OutboxMessage> all = messages.stream().map(this::message).toList();
            outbox.inTransaction(tables.database().dataSource(), transaction -> {
                transaction.enqueue(all);
            });
        }

        private OutboxMessage message(PeerMessage message) {
            return outbox.message(BenchOutbox.TOPIC)
                    .key(message.key())
                    .type("OrderPlaced")
                    .payload(message.payload().getBytes(StandardCharsets.US_ASCII))
                    .build();
        }

        @Override
        public void deliver() {
            relay.start();
        }

        @Override
        public long pending() throws SQLException {
            return tables.count();
        }

        @Override
        public void close() {
            relay.close();
            tables.close();
        }
    }

    /** Acknowledges at once. */
    private record Nowhere(Deliveries deliveries) implements Destination {

        private static final CompletionStage<DeliveryResult> DELIVERED =
                CompletableFuture.completedFuture(DeliveryResult.DELIVERED);

        @Override
        public String name() {
            return "nowhere";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            deliveries.accept(new String(message.payload(), StandardCharsets.US_ASCII));
            return DELIVERED;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
