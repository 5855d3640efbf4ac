package dev.postrider.destination.nats;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.PrivateBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole relay over H2 and a real server that fails. */
class RelayToNatsIT {

    private static final Duration DOWN = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int KEYS = 40;

    private final PrivateBroker server = Server.server();
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
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (store.stats().undelivered() + store.stats().held() > 0) {
            assertThat(System.nanoTime()).as("drained in time").isLessThan(end);
            Thread.sleep(50);
        }
    }

    @Test
    void losesNothingAndCountsNoAttemptWhenTheServerIsKilledUnderLoad() throws Exception {
        String topic = Server.newSubjectWithStream();
        List<OutboxMessage> committed = new CopyOnWriteArrayList<>();
        AtomicBoolean isWriting = new AtomicBoolean(true);
        Thread writer = new Thread(() -> {
            for (int i = 0; isWriting.get(); i += 20) {
                committed.addAll(write(topic, i, 20));
            }
        });
        try (Destination nats = Server.destination().build();
                Relay relay = Relay.builder(store, nats).listener(watcher).build()) {
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
        assertThatDeliveries(Server.messagesIn(topic, committed.size()))
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed);
    }
}
