package dev.postrider.destination.kafka;

import dev.postrider.testservers.KafkaCluster;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hundreds of messages of a key in flight to three brokers, which die in turn. Slow: only {@code .ci/kafka-faults} runs it. */
class KafkaClusterFaults {

    private static final Map<String, String> SAFE = Map.of("min.insync.replicas", "2");

    private final KafkaCluster cluster = StoppableCluster.cluster();
    private final TestTopics topics = new TestTopics(cluster.bootstrapServers());

    @AfterEach
    void ensureAllRun() {
        StoppableCluster.cluster();
    }

    /** For five minutes, beside 100,000 messages. */
    @Test
    void replacesTheProducerOnceForEachTopicThatFailsForLong() throws Exception {
        new FailingTopics().assertThatEachCostsOneProducer(10_000, Duration.ofMillis(30));
    }

    @Test
    void leavesNoHoleWhenBrokersAreKilled() throws Exception {
        String topic = topics.create(2, SAFE);
        StoppableCluster.grant(topic);
        try (KafkaDestination destination = StoppableCluster.destination()
                .deliveryTimeout(Duration.ofSeconds(3))
                .build()) {
            PipelinedKeys keys =
                    PipelinedKeys.send(destination, 4, 10_000 * Rounds.COUNT, PipelinedKeys.ofBytes(topic, 200));
            for (int round = 0; round < Rounds.COUNT; round++) {
                PrivateKafka victim = cluster.nodes().get(round % 3);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
                victim.killHard();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3_500));
                victim.restart();
            }

            keys.assertAllDelivered().assertOrderIn(topics.messages(topic, keys.count()));
        }
    }
}
