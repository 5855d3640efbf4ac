package dev.postrider.destination.kafka;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.Health;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.RelayUnderLoad;
import dev.postrider.testservers.KafkaCluster;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three brokers, one of which dies. */
class KafkaClusterIT {

    private static KafkaCluster cluster;
    private static TestTopics topics;

    private final JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "", "");
    private final OutboxStore store =
            H2OutboxStore.builder(pool).schemaMode(SchemaMode.CREATE).build();

    @AfterEach
    void disposePool() {
        pool.dispose();
    }

    @BeforeAll
    static void startBrokers() {
        cluster = StoppableCluster.cluster();
        topics = new TestTopics(cluster.bootstrapServers());
    }

    private static KafkaDestination destination() {
        return KafkaDestination.builder("kafka", cluster.bootstrapServers())
                .deliveryTimeout(Duration.ofSeconds(10))
                .build();
    }

    @Test
    void losesNothingWhenOneOfThreeBrokersIsKilledUnderLoad() throws Exception {
        String topic = topics.create(6, Map.of("min.insync.replicas", "2"));
        PrivateKafka victim = cluster.nodes().get(1);
        try (KafkaDestination destination = destination();
                RelayUnderLoad load = new RelayUnderLoad(
                        store, pool, DestinationRouter.to(destination), RelayUnderLoad.ordersFor(topic))) {
            load.awaitWritten(200);
            victim.killHard();
            load.awaitWritten(400);
            victim.restart();
            load.awaitWritten(200);

            List<OutboxMessage> committed = load.drain();
            assertThatDeliveries(topics.messages(topic, committed.size()))
                    .lackNothingOf(committed)
                    .containNothingBut(committed)
                    .keepTheOrderOf(committed);
            load.assertNoMessageWasBlamed();
        } finally {
            ensureAllRun();
        }
    }

    @Test
    void callsTooFewReplicasAnOutageUntilTheyAreBack() throws Exception {
        String topic = TestTopics.unusedName();
        topics.create(new NewTopic(topic, Map.of(0, List.of(1, 2))).configs(Map.of("min.insync.replicas", "2")));
        try (KafkaDestination destination = destination()) {
            assertThat(send(destination, topic)).isEqualTo(DeliveryResult.DELIVERED);

            cluster.nodes().get(1).killHard();
            DeliveryResult result = send(destination, topic);
            assertThat(result).isInstanceOf(DeliveryResult.Outage.class);
            assertThat(((Failed) result).reason()).contains(topic);
            RelayUnderLoad.await(
                    "a health check that knows",
                    () -> destination.healthCheck() instanceof Health.Down down
                            && down.reason().contains("min.insync.replicas is 2"));

            cluster.nodes().get(1).restart();
            RelayUnderLoad.await("health", () -> destination.healthCheck() instanceof Health.Up);
            RelayUnderLoad.await("delivery", () -> send(destination, topic) instanceof DeliveryResult.Delivered);
        } finally {
            ensureAllRun();
        }
    }

    private static DeliveryResult send(KafkaDestination destination, String topic) {
        OutboxMessage message = OutboxMessage.builder(topic).type("t").key("k").build();
        return destination
                .send(message)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private static void ensureAllRun() {
        StoppableCluster.cluster();
    }
}
