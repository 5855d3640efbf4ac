package dev.postrider.destination.kafka;

import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Unavailable;
import org.apache.kafka.common.InvalidRecordException;

/** Says what the failure of a record means, and remembers what it tells about the record's topic. Thread-safe. */
final class RecordFailures {

    private final TopicLookup topics;
    private final ClusterHealth health;
    private final StrictTopics strictTopics = new StrictTopics();

    RecordFailures(TopicLookup topics, ClusterHealth health) {
        this.topics = topics;
        this.health = health;
    }

    Failed of(OutgoingRecord sending, Throwable failure) {
        String topic = sending.topic();
        Failed result = KafkaFailures.of(failure, topic);
        if (failure instanceof InvalidRecordException) {
            strictTopics.add(topic);
        }
        if (KafkaFailures.isUnknownTopic(failure)) {
            topics.forget(topic);
        }
        if (result instanceof Outage) {
            health.suspect(topic);
        }
        return result instanceof Unavailable place ? place.concerningTopic(sending.isTopicOfMessage) : result;
    }

    /** Whether the broker found a record of this topic invalid not long ago. */
    boolean isStrict(String topic) {
        return strictTopics.contains(topic);
    }
}
