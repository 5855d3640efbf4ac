package dev.postrider.destination.kafka;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hundreds of messages of a key in flight to three brokers, which die in turn. Slow: only {@code .ci/kafka-faults} runs it. */
class KafkaClusterFaults {

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
        new DyingBrokers().assertThatNoneLeavesAHole(Rounds.COUNT);
    }
}
