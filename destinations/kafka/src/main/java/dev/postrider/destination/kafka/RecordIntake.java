package dev.postrider.destination.kafka;

import dev.postrider.spi.Subscription;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.ReceivedEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Takes fetched records in, each in the way that it calls for, and lets go of those of partitions that leave. For the polling thread. */
final class RecordIntake {

    private final OpenPartitions partitions;
    private final DeliveryQueue<IncomingRecord> queue;
    private final RetryPlan plan;
    private final Subscription subscription;
    private final Optional<String> keyAttribute;

    /**
     * @param subscription which events are wanted
     * @param keyAttribute whose value stands for the key
     */
    RecordIntake(
            OpenPartitions partitions,
            DeliveryQueue<IncomingRecord> queue,
            RetryPlan plan,
            Subscription subscription,
            Optional<String> keyAttribute) {
        this.partitions = partitions;
        this.queue = queue;
        this.plan = plan;
        this.subscription = subscription;
        this.keyAttribute = keyAttribute;
    }

    void take(ConsumerRecord<byte[], byte[]> record) {
        partitions
                .window(new TopicPartition(record.topic(), record.partition()))
                .ifPresent(window -> take(new IncomingRecord(window, record), record));
    }

    private void take(IncomingRecord incoming, ConsumerRecord<byte[], byte[]> record) {
        partitions.add(incoming);
        Optional<Duration> delay = plan.delayOf(record.topic());
        int attempts = delay.isPresent() ? ForwardHeaders.attempts(record) : 0;
        ReceivedEvent event;
        try {
            event = read(record, delay.isPresent());
        } catch (RuntimeException invalid) {
            // Whatever it is: a record that ends the receiver would end the next one too.
            queue.park(incoming, attempts, "The record is no CloudEvent: " + invalid.getMessage());
            return;
        }
        if (!subscription.includes(event.message().type())) {
            partitions.finish(incoming);
            return;
        }
        Optional<KeyOfPartition> key =
                event.keyBy(keyAttribute, subscription).map(name -> new KeyOfPartition(incoming.window, name));
        Duration pause = delay.map(whole -> remaining(record, whole)).orElse(Duration.ZERO);
        queue.add(incoming, event, key, attempts, pause);
    }

    /** By the clocks of two machines; a wrong one makes it wait between no time and the whole delay. */
    private static Duration remaining(ConsumerRecord<byte[], byte[]> record, Duration delay) {
        Duration age = Duration.ofMillis(System.currentTimeMillis() - record.timestamp());
        Duration left = delay.minus(age);
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(delay) > 0 ? delay : left;
    }

    private static ReceivedEvent read(ConsumerRecord<byte[], byte[]> record, boolean isRetry) {
        String topic =
                isRetry ? ForwardHeaders.text(record, ForwardHeaders.TOPIC).orElse(record.topic()) : record.topic();
        return CloudEventRecords.read(record, ForwardHeaders.withoutOwn(record.headers()), topic);
    }

    /** Partitions from which nothing more should be fetched for now. */
    Set<TopicPartition> full() {
        return queue.isStopped() ? Set.copyOf(partitions.all()) : partitions.full();
    }

    /**
     * Waits for the handlers of these partitions, hands over nothing more of them, and lets them go.
     *
     * @param patience how long to wait
     * @return what can be committed for them
     */
    Map<TopicPartition, OffsetAndMetadata> release(Collection<TopicPartition> released, Duration patience) {
        List<PartitionWindow> leaving = partitions.leave(released);
        queue.forgetLost();
        queue.awaitQuiet(record -> leaving.contains(record.window), patience);
        return partitions.end(leaving);
    }

    /** A key keeps its order within a partition; what another partition has of it is another key. */
    private record KeyOfPartition(PartitionWindow window, String key) {}
}
