package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;

/** A topic without a leader and one that was forbidden, with busy keys of their own, beside others that take everything. */
final class FailingTopics {

    private final KafkaCluster cluster = StoppableCluster.cluster();
    private final TestTopics topics = new TestTopics(cluster.bootstrapServers());
    private final String healthy = newTopic(1, 3);
    private final String withoutLeader = newTopic(2);
    private final String forbidden = newTopic(1);

    /**
     * Sends this many messages of each of ten keys past them.
     *
     * @param pace between two messages of a key
     */
    void assertThatEachCostsOneProducer(int count, Duration pace) throws Exception {
        for (String topic : List.of(healthy, withoutLeader, forbidden)) {
            StoppableCluster.grant(topic);
        }
        try (KafkaDestination destination = StoppableCluster.destination()
                .deliveryTimeout(Duration.ofSeconds(4))
                .build()) {
            PipelinedKeys others =
                    PipelinedKeys.sendSlowly(destination, 10, count, PipelinedKeys.ofBytes(healthy, 200), pace);
            PipelinedKeys waiting =
                    PipelinedKeys.sendSlowly(destination, 2, 10_000, PipelinedKeys.ofBytes(withoutLeader, 10));
            PipelinedKeys refused =
                    PipelinedKeys.sendSlowly(destination, 2, 10_000, PipelinedKeys.ofBytes(forbidden, 10));
            List.of(withoutLeader, forbidden).forEach(topic -> topics.messages(topic, 1));
            StoppableCluster.revoke(forbidden);
            cluster.nodes().get(1).killHard();

            assertThatOthersGoOn(others);
            waiting.assertNotDone();
            refused.assertNotDone();

            cluster.nodes().get(1).restart();
            StoppableCluster.grant(forbidden);
            waiting.assertAllDelivered().assertOrderIn(topics.messages(withoutLeader, waiting.count()));
            refused.assertAllDelivered().assertOrderIn(topics.messages(forbidden, refused.count()));
        }
    }

    private void assertThatOthersGoOn(PipelinedKeys others) throws Exception {
        others.assertAllDelivered();
        Set<Long> producers = producersOf(healthy);
        List<OutboxMessage> arrived = topics.messages(healthy, others.count());
        others.assertOrderIn(arrived);
        assertThat(producers).hasSizeBetween(2, 3);
        assertThat(arrived).hasSizeLessThanOrEqualTo(others.count() + 2 * others.maxInFlight());
    }

    /** Two partitions on these brokers. */
    private String newTopic(Integer... brokers) {
        String name = TestTopics.unusedName();
        topics.create(new NewTopic(name, Map.of(0, List.of(brokers), 1, List.of(brokers))));
        return name;
    }

    private static Set<Long> producersOf(String topic) throws Exception {
        List<TopicPartition> partitions = IntStream.range(0, 2)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        try (Admin admin = StoppableCluster.admin()) {
            return admin.describeProducers(partitions).all().get().values().stream()
                    .flatMap(state -> state.activeProducers().stream())
                    .map(ProducerState::producerId)
                    .collect(Collectors.toSet());
        }
    }
}
