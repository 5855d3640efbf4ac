package dev.postrider.destination.kafka;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.RoutingTable;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole relay on real Kafka. */
class KafkaRelayIT {

    private final PrivateKafka kafka = StoppableKafka.broker();
    private final TcpFaultProxy proxy = StoppableKafka.proxy();
    private final TestTopics topics = new TestTopics(kafka.bootstrapServers());
    private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();

    @AfterEach
    void disposePool() {
        pool.dispose();
    }

    private KafkaDestination destination(String name, int port) {
        return KafkaDestination.builder(name, kafka.host() + ":" + port)
                .deliveryTimeout(Duration.ofSeconds(5))
                .build();
    }

    @Test
    void losesNothingAndBlamesNobodyWhenTheBrokerIsKilledUnderLoad() throws Exception {
        String topic = topics.create(4);
        try (KafkaDestination destination = destination("kafka", kafka.port());
                RelayUnderLoad load = new RelayUnderLoad(
                        store, pool, DestinationRouter.to(destination), RelayUnderLoad.ordersFor(topic))) {
            load.awaitWritten(200);

            kafka.killHard();
            load.awaitOutage();
            // Time itself is what is tested here: the back-off grows, leases are renewed, nothing is given up.
            Thread.sleep(RelayUnderLoad.brokerDown().toMillis());
            kafka.restart();

            load.awaitWritten(200);
            List<OutboxMessage> committed = load.drain();
            assertThatDeliveries(topics.messages(topic, committed.size()))
                    .lackNothingOf(committed)
                    .containNothingBut(committed)
                    .keepTheOrderOf(committed);
            load.assertNoMessageWasBlamed();
        }
    }

    @Test
    void deliversToOneClusterWhileAnotherDoesNotAnswer() throws Exception {
        String slow = topics.create(2);
        String quick = topics.create(2);
        try (KafkaDestination stuck = destination("kafka-stuck", proxy.port());
                KafkaDestination other = destination("kafka-other", kafka.port());
                RelayUnderLoad load = new RelayUnderLoad(
                        store,
                        pool,
                        RoutingTable.byTopic().route(slow, stuck).otherwise(other),
                        i -> RelayUnderLoad.ordersFor(i % 2 == 0 ? slow : quick).apply(i / 2))) {
            load.awaitWritten(200);
            proxy.hold(TcpFaultProxy.Direction.TO_CLIENT);
            load.awaitOutage();
            int before = topics.messages(quick, 1).size();
            load.awaitWritten(400);

            assertThat(topics.messages(quick, before + 150)).hasSizeGreaterThanOrEqualTo(before + 150);
            proxy.heal();

            List<OutboxMessage> committed = load.drain();
            assertThatDeliveries(topics.messages(slow, committed.size() / 2)).keepTheOrderOf(committed);
            assertThatDeliveries(topics.messages(quick, committed.size() / 2))
                    .keepTheOrderOf(committed)
                    .haveNoDuplicates();
        } finally {
            proxy.heal();
        }
    }
}
