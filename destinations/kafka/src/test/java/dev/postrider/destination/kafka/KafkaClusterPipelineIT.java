package dev.postrider.destination.kafka;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hundreds of messages of a key in flight to three brokers: one dies, or some topics take nothing beside others that do. */
class KafkaClusterPipelineIT {

    @AfterEach
    void ensureAllRun() {
        StoppableCluster.cluster();
    }

    @Test
    void leavesNoHoleWhenTheLeaderOfAKeysPartitionIsKilled() throws Exception {
        new DyingBrokers().assertThatNoneLeavesAHole(1);
    }

    /** One producer serves all topics: those that cannot take anything must not cost the others more than a moment. */
    @Test
    void replacesTheProducerOnceForEachTopicThatFails() throws Exception {
        new FailingTopics().assertThatEachCostsOneProducer(1_200, Duration.ofMillis(10));
    }
}
