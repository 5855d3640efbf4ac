package dev.postrider.destination.rabbitmq;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole relay over H2 and a real node that fails. */
class RelayToRabbitmqIT {

    private static final Duration DOWN = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int KEYS = 40;

    private final PrivateRabbitmq server = Node.server();
    private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();
    private final Outbox outbox = Outbox.withDefaults(store);
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final CountDownLatch sawOutage = new CountDownLatch(1);
    private final RelayListener watcher = new RelayListener() {
        @Override
        public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
            failures.add(failure.reason());
        }

        @Override
        public void dead(Attempt attempt, DeadReason reason, String error) {
            failures.add("dead: " + error);
        }

        @Override
        public void outage(String destination, String reason, Duration retryIn) {
            sawOutage.countDown();
        }
    };

    @AfterEach
    void disposePool() {
        pool.dispose();
    }

    private List<OutboxMessage> write(String topic, int from, int count) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            messages.add(outbox.message(topic)
                    .key(topic + "-" + i % KEYS)
                    .type("com.example.Placed")
                    .payload(new byte[200])
                    .build());
        }
        outbox.inTransaction(pool, tx -> tx.enqueue(messages));
        return messages;
    }

    private void awaitDrained() throws InterruptedException {
        await("drained", () -> store.stats().undelivered() + store.stats().held() == 0);
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(50);
        }
    }

    @Test
    void losesNothingAndCountsNoAttemptWhenTheNodeIsKilledUnderLoad() throws Exception {
        String topic = Node.newExchangeWithQueue();
        List<OutboxMessage> committed = new CopyOnWriteArrayList<>();
        AtomicBoolean isWriting = new AtomicBoolean(true);
        Thread writer = new Thread(() -> {
            for (int i = 0; isWriting.get(); i += 20) {
                committed.addAll(write(topic, i, 20));
            }
        });
        try (Destination rabbit = Node.destination().build();
                Relay relay = Relay.builder(store, rabbit).listener(watcher).build()) {
            relay.start();
            writer.start();
            server.killHard();
            assertThat(sawOutage.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            isWriting.set(false);
            writer.join();
            // Time itself is what is tested here: the back-off grows, leases are renewed, nothing is given up.
            Thread.sleep(DOWN.toMillis());
            server.restart();
            committed.addAll(write(topic, 0, 200));
            awaitDrained();
        } finally {
            isWriting.set(false);
            if (!server.isRunning()) {
                server.restart();
            }
        }

        assertThat(failures).isEmpty();
        assertThat(store.stats().dead()).isZero();
        assertThatDeliveries(Node.messagesIn(topic, committed.size()))
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed);
    }

    @Test
    void countsNoAttemptDuringAMemoryAlarm() throws Exception {
        String topic = Node.newExchangeWithQueue();
        List<OutboxMessage> committed = new ArrayList<>();
        try (Destination rabbit = Node.destination()
                        .deliveryTimeout(Duration.ofSeconds(2))
                        .build();
                Relay relay = Relay.builder(store, rabbit).listener(watcher).build()) {
            relay.start();
            committed.addAll(write(topic, 0, 100));
            awaitDrained();
            server.raiseMemoryAlarm();
            try {
                committed.addAll(write(topic, 100, 500));
                assertThat(sawOutage.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                // Long enough for several probes of the relay, each on a new connection.
                Thread.sleep(8_000);
            } finally {
                server.clearMemoryAlarm();
            }
            awaitDrained();
        }

        assertThat(failures).isEmpty();
        assertThatDeliveries(Node.messagesIn(topic, committed.size()))
                .lackNothingOf(committed)
                .keepTheOrderOf(committed);
    }

    @Test
    void letsOthersFlowWhileOneQueueIsFull() throws Exception {
        String full = Node.newExchangeWithQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        String open = Node.newExchangeWithQueue();
        try (Destination one = Node.destination().build();
                Destination other = RabbitmqDestination.builder("rabbit-other")
                        .addresses(server.host() + ":" + server.port())
                        .credentials(server.user(), server.password())
                        .build();
                Relay relay = Relay.builder(store, byTopic(full, one, other)).build()) {
            write(full, 0, 200);
            List<OutboxMessage> committed = write(open, 0, 400);
            relay.start();
            // What waits for the full queue is held; everything else leaves the outbox.
            await("only held ones are left", () -> store.stats().undelivered() == 0);

            assertThatDeliveries(Node.messagesIn(open, committed.size()))
                    .lackNothingOf(committed)
                    .keepTheOrderOf(committed);
            assertThat(store.stats().held()).isPositive();
        }
    }

    private static DestinationRouter byTopic(String topic, Destination one, Destination other) {
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return message.topic().equals(topic) ? one : other;
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(one, other);
            }
        };
    }
}
