package dev.postrider.destination.kafka;

import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Unavailable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    /**
     * Topics at which a broker found a record invalid not long ago: one without a key, for example, where the topic is compacted.
     *
     * <p>An invalid record fails the whole batch that it is in, and those behind it would need another producer each time. There each record of
     * a run waits for the one before. Thread-safe.
     */
    private static final class StrictTopics {

        private static final long STRICT_NANOS = Duration.ofMinutes(1).toNanos();

        private final Map<String, Long> since = new ConcurrentHashMap<>();

        void add(String topic) {
            since.put(topic, System.nanoTime());
        }

        boolean contains(String topic) {
            Long last = since.get(topic);
            if (last == null) {
                return false;
            }
            boolean isStrict = System.nanoTime() - last < STRICT_NANOS;
            return isStrict || !since.remove(topic, last);
        }
    }
}
