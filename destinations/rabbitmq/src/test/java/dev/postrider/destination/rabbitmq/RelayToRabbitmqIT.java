package dev.postrider.destination.rabbitmq;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.RoutingTable;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.spi.Health;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.PlaceScenario;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole relay over H2 and a real node that fails. */
class RelayToRabbitmqIT {

    private final PrivateRabbitmq server = Node.server();
    private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();

    @AfterEach
    void disposePool() {
        pool.dispose();
    }

    @Test
    void losesNothingAndCountsNoAttemptWhenTheNodeIsKilledUnderLoad() throws Exception {
        String topic = Node.newExchangeWithQueue();
        try (Destination rabbit = Node.destination().build();
                RelayUnderLoad load = new RelayUnderLoad(
                        store, pool, DestinationRouter.to(rabbit), RelayUnderLoad.ordersFor(topic))) {
            load.awaitWritten(200);
            server.killHard();
            load.awaitOutage();
            // Time itself is what is tested here: the back-off grows, leases are renewed, nothing is given up.
            Thread.sleep(RelayUnderLoad.brokerDown().toMillis());
            server.restart();
            load.awaitWritten(200);

            assertAllArrivedAndNobodyWasBlamed(topic, load);
        } finally {
            if (!server.isRunning()) {
                server.restart();
            }
        }
    }

    @Test
    void countsNoAttemptDuringAMemoryAlarm() throws Exception {
        String topic = Node.newExchangeWithQueue();
        try (CountedProbes rabbit = new CountedProbes(Node.destination()
                        .deliveryTimeout(Duration.ofSeconds(2))
                        .build());
                RelayUnderLoad load = new RelayUnderLoad(
                        store, pool, DestinationRouter.to(rabbit), RelayUnderLoad.ordersFor(topic))) {
            load.awaitWritten(100);
            server.raiseMemoryAlarm();
            try {
                load.awaitOutage();
                RelayUnderLoad.await("probes during the alarm", () -> rabbit.foundDown.get() >= 3);
                assertThatWhoeverConnectsMeetsAnOutage(topic);
            } finally {
                server.clearMemoryAlarm();
            }
            load.awaitWritten(100);

            assertAllArrivedAndNobodyWasBlamed(topic, load);
        }
    }

    private static void assertThatWhoeverConnectsMeetsAnOutage(String topic) {
        try (Destination fresh =
                Node.destination().deliveryTimeout(Duration.ofSeconds(2)).build()) {
            assertThat(fresh.healthCheck()).isInstanceOf(Health.Down.class);
            assertThat(fresh.send(RelayUnderLoad.ordersFor(topic).apply(0)))
                    .succeedsWithin(Duration.ofSeconds(60))
                    .isInstanceOf(DeliveryResult.Outage.class);
        }
    }

    private static void assertAllArrivedAndNobodyWasBlamed(String topic, RelayUnderLoad load) throws Exception {
        List<OutboxMessage> committed = load.drain();
        load.assertNoMessageWasBlamed();
        assertThatDeliveries(Node.messagesIn(topic, committed.size()))
                .lackNothingOf(committed)
                .containNothingBut(committed)
                .keepTheOrderOf(committed);
    }

    @Test
    void letsOthersFlowWhileOneQueueIsFull() throws Exception {
        String full = Node.newExchangeWithQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        String open = Node.newExchangeWithQueue();
        try (Destination stuck = Node.destination().build();
                Destination other =
                        Node.access(RabbitmqDestination.builder("rabbit-other")).build();
                RelayUnderLoad load = new RelayUnderLoad(
                        store,
                        pool,
                        RoutingTable.byTopic().route(full, stuck).otherwise(other),
                        i -> RelayUnderLoad.ordersFor(i % 2 == 0 ? full : open).apply(i / 2))) {
            load.awaitWritten(400);
            // What waits for the full queue is held; everything else leaves the outbox.
            List<OutboxMessage> forOpen = load.awaitAllButHeld().stream()
                    .filter(message -> message.topic().equals(open))
                    .toList();

            assertThatDeliveries(Node.messagesIn(open, forOpen.size()))
                    .lackNothingOf(forOpen)
                    .keepTheOrderOf(forOpen)
                    .haveNoDuplicates();
            assertThat(store.stats().held()).isPositive();
        }
    }

    @Test
    void messagesOfAForbiddenExchangeWaitUntilTheRightIsGranted() {
        String forbidden = Node.newExchangeWithQueue();
        String open = Node.newExchangeWithQueue();
        server.control("add_user", "granted-later", "secret");
        server.control("set_permissions", "granted-later", "", "^" + open + "$", ".*");
        try (Destination rabbit =
                Node.destination().credentials("granted-later", "secret").build()) {
            PlaceScenario.run(
                    rabbit, forbidden, open, () -> server.control("set_permissions", "granted-later", "", ".*", ".*"));
        }
    }

    @Test
    void messagesOfAFullQueueWaitUntilThereIsRoom() {
        String full = Node.newExchangeWithQueue(Map.of("x-max-length", 2, "x-overflow", "reject-publish"));
        String open = Node.newExchangeWithQueue();
        try (Destination rabbit = Node.destination().build()) {
            for (int i = 0; i < 2; i++) {
                assertThat(rabbit.send(RelayUnderLoad.ordersFor(full).apply(i)))
                        .succeedsWithin(Duration.ofSeconds(60))
                        .isEqualTo(DeliveryResult.DELIVERED);
            }
            PlaceScenario.run(rabbit, full, open, () -> Node.inChannel(channel -> channel.queuePurge(full)));
        }
    }

    /** Tells how often the relay has asked in vain. */
    private static final class CountedProbes extends ForwardingDestination {

        private final AtomicInteger foundDown = new AtomicInteger();

        CountedProbes(Destination target) {
            super(target);
        }

        @Override
        public Health healthCheck() {
            Health health = super.healthCheck();
            if (health instanceof Health.Down) {
                foundDown.incrementAndGet();
            }
            return health;
        }
    }
}
