package dev.postrider.cli.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.BlockingDestination;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands between "snippet" and "end" stands in README.md or docs/getting-started.md as well; SnippetsTest compares. */
@Timeout(60)
class GettingStartedTest {

    private final JdbcConnectionPool dataSource =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    private final BlockingQueue<String> billed = new LinkedBlockingQueue<>();

    @BeforeEach
    void createOrders() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.createStatement().execute("SHUTDOWN");
        }
        dataSource.dispose();
    }

    @Test
    void deliversWhatWasCommittedToOwnCode() throws Exception {
        // snippet: outbox
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        Outbox outbox = Outbox.withDefaults(store);
        // end

        // snippet: write
        outbox.inTransaction(dataSource, tx -> {
            insertOrder(tx.connection(), "order-17");
            tx.enqueue(outbox.message("orders")
                    .key("order-17")
                    .type("com.example.OrderPlaced")
                    .json("{\"total\": 42}")
                    .build());
        });
        // end

        // snippet: relay
        Destination billing = Destination.blocking("billing", message -> bill(message));
        Relay relay = Relay.withDefaults(store, billing);
        relay.start();
        // end

        assertThat(billed.poll(30, TimeUnit.SECONDS)).isEqualTo("order-17 {\"total\": 42}");

        // snippet: close
        relay.close();
        billing.close();
        // end
    }

    /** As the page says of a lambda: 16 threads, 5 seconds, and no thread that keeps a program alive. */
    @Test
    void boundsALambda() {
        try (Destination standard = Destination.blocking("billing", message -> bill(message))) {
            assertThat(standard.maxInFlight()).isEqualTo(16);
            assertThat(standard.deliveryTimeout()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
        }
        // snippet: bounds
        Destination billing = BlockingDestination.of("billing", message -> bill(message), 4, Duration.ofSeconds(2));
        // end
        assertThat(billing.maxInFlight()).isEqualTo(4);
        Relay relay = Relay.withDefaults(newStore(), billing);
        relay.start();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("postrider-"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        relay.close();
        billing.close();
    }

    @Test
    void deliversWhatWasEnqueuedOnTheCallersOwnConnection() throws Exception {
        Outbox outbox = Outbox.withDefaults(newStore());
        OutboxMessage message = message(outbox, "orders", "order-18");

        // snippet: own-transaction
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            insertOrder(connection, "order-18");
            outbox.enqueue(connection, message);
            connection.commit();
        }
        outbox.wake();
        // end

        assertThat(outbox.stats().undelivered()).isEqualTo(1);
    }

    @Test
    void drainsOnceForTests() {
        OutboxStore store = newStore();
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(dataSource, tx -> tx.enqueue(message(outbox, "orders", "order-19")));

        // snippet: drain
        MemoryDestination memory = MemoryDestination.named("memory");
        memory.subscribe("billing", message -> bill(message));
        DrainReport report = Relay.withDefaults(store, memory).drainOnce();
        // end

        memory.close();
        assertThat(report.delivered()).isEqualTo(1);
        assertThat(billed).containsExactly("order-19 {}");
    }

    @Test
    void retriesADeadLetterOnRequest() {
        OutboxStore store = newStore();
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(dataSource, tx -> {
            tx.enqueue(message(outbox, "orders", "order-20"));
            tx.enqueue(message(outbox, "returns", "order-21"));
        });
        drain(store, new BillingDestination(message -> CompletableFuture.runAsync(() -> bill(message))));
        assertThat(billed).containsExactly("order-20 {}");

        // snippet: dead-letters
        if (outbox.stats().dead() > 0) {
            DeadLetterFilter returns = DeadLetterFilter.all().withTopic("returns");
            outbox.deadLetters().requestRetry(returns, 100, "alice");
        }
        // end

        drain(store, Destination.blocking("repaired", this::bill));
        assertThat(billed).containsExactly("order-20 {}", "order-21 {}");
    }

    private static void drain(OutboxStore store, Destination destination) {
        try (destination) {
            Relay.withDefaults(store, destination).drainOnce();
        }
    }

    private OutboxStore newStore() {
        return H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
    }

    private static OutboxMessage message(Outbox outbox, String topic, String key) {
        return outbox.message(topic)
                .key(key)
                .type("com.example.OrderPlaced")
                .json("{}")
                .build();
    }

    private static void insertOrder(Connection connection, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            statement.setString(1, id);
            statement.executeUpdate();
        }
    }

    private void bill(OutboxMessage message) {
        billed.add(message.key().orElseThrow() + " " + new String(message.payload(), UTF_8));
    }

    /** Compiled, but not run: it waits until the process is told to end. */
    static void keepRunning(Relay relay) throws InterruptedException {
        // snippet: keep-running
        Runtime.getRuntime().addShutdownHook(new Thread(relay::close));
        relay.start();
        new CountDownLatch(1).await();
        // end
    }

    /** A client with answers that come later, as most have. */
    @FunctionalInterface
    interface BillingClient {
        CompletableFuture<Void> bill(OutboxMessage message);
    }

    // snippet: own-destination
    record BillingDestination(BillingClient client) implements Destination {

        @Override
        public String name() {
            return "billing";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (!message.topic().equals("orders")) {
                return CompletableFuture.completedFuture(DeliveryResult.reject("Not an order"));
            }
            return client.bill(message)
                    .handle((done, failure) -> failure == null
                            ? DeliveryResult.DELIVERED
                            : DeliveryResult.retry("Billing failed", failure));
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(5);
        }
    }
    // end
}
