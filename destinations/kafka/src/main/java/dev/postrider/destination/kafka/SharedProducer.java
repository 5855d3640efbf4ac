package dev.postrider.destination.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** One producer, and what ends with it: the topics that it knows, and the partitions at which the broker knows it. Thread-safe. */
final class SharedProducer {

    private static final long NOTED_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    /** Well below {@code producer.id.expiration.ms}, a day by default, after which a broker forgets a producer. */
    private static final long KNOWN_FOR_NANOS = Duration.ofHours(1).toNanos();

    /** Of a batch with one record, at most, unless it has very many headers. */
    private static final int OVERHEAD_BYTES = 500;

    final Producer<byte[], byte[]> client;
    private final Map<String, Long> topicsUsed = new ConcurrentHashMap<>();
    private final Map<String, Integer> maxBytesOfTopics = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> partitionsUsed = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    SharedProducer(Producer<byte[], byte[]> client) {
        this(client, System::nanoTime);
    }

    SharedProducer(Producer<byte[], byte[]> client, LongSupplier nanoTime) {
        this.client = client;
        this.nanoTime = nanoTime;
    }

    /** Whether it surely knows the topic and so will not wait for it. */
    boolean knows(String topic, Duration remembered) {
        return isRecent(topicsUsed, topic, remembered.toNanos());
    }

    /** Asked for every message, it rarely writes. */
    private <T> boolean isRecent(Map<T, Long> used, T what, long nanos) {
        Long last = used.get(what);
        if (last == null) {
            return false;
        }
        long now = nanoTime.getAsLong();
        return now - last < NOTED_EVERY_NANOS
                || used.computeIfPresent(what, (same, latest) -> now - latest < nanos ? now : null) != null;
    }

    void learned(String topic, int maxBytes) {
        maxBytesOfTopics.put(topic, maxBytes);
        topicsUsed.put(topic, nanoTime.getAsLong());
    }

    /** Whether the topic may refuse the record because of its size; the broker has the last word, since limits change. */
    boolean isPerhapsTooLarge(OutgoingRecord sending) {
        Integer maxBytes = maxBytesOfTopics.get(sending.topic());
        return maxBytes != null && sending.bytes + OVERHEAD_BYTES > maxBytes;
    }

    void forget(String topic) {
        topicsUsed.remove(topic);
    }

    /**
     * Whether the broker takes nothing of this producer in this partition but in sequence. Without having taken a record of it before, it
     * would take any as the first, also one behind a record that failed.
     */
    boolean isKnownAt(TopicPartition partition) {
        return isRecent(partitionsUsed, partition, KNOWN_FOR_NANOS);
    }

    void acknowledged(TopicPartition partition) {
        if (!partitionsUsed.containsKey(partition)) {
            partitionsUsed.put(partition, nanoTime.getAsLong());
        }
    }

    /** A record failed there: the next one goes alone again, or each run that tries could cost a producer. */
    void failed(TopicPartition partition) {
        partitionsUsed.remove(partition);
    }
}
