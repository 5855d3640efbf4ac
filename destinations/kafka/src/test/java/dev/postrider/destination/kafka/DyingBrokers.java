package dev.postrider.destination.kafka;

import dev.postrider.testservers.KafkaCluster;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;

/** Hundreds of messages of a key in flight while the broker dies that leads its partition. */
final class DyingBrokers {

    private static final Map<String, String> SAFE = Map.of("min.insync.replicas", "2");
    private static final int MESSAGES = 20_000;

    private final KafkaCluster cluster = StoppableCluster.cluster();
    private final TestTopics topics = new TestTopics(cluster.bootstrapServers());

    /** Each round kills the leader of the first partition, and starts it again when another one has long taken over. */
    void assertThatNoneLeavesAHole(int rounds) throws Exception {
        String topic = topics.create(2, SAFE);
        StoppableCluster.grant(topic);
        try (KafkaDestination destination = StoppableCluster.destination()
                .deliveryTimeout(Duration.ofSeconds(3))
                .build()) {
            PipelinedKeys keys =
                    PipelinedKeys.send(destination, 4, MESSAGES * rounds, PipelinedKeys.ofBytes(topic, 200));
            for (int round = 0; round < rounds; round++) {
                PrivateKafka victim = leader(topic);
                topics.messages(topic, 1 + round * MESSAGES);
                victim.killHard();
                keys.assertNotDone();
                LockSupport.parkNanos(Duration.ofMillis(3_500).toNanos());
                victim.restart();
            }

            keys.assertAllDelivered().assertOrderIn(topics.messages(topic, keys.count()));
        }
    }

    private PrivateKafka leader(String topic) throws Exception {
        try (Admin admin = StoppableCluster.admin()) {
            Node leader = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .get(0)
                    .leader();
            return cluster.nodes().stream()
                    .filter(node -> node.port() == leader.port())
                    .findFirst()
                    .orElseThrow();
        }
    }
}
