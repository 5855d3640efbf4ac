package dev.postrider.destination.kafka;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Chooses the partition of a record before it is sent, as Kafka's own partitioner does: order is kept within a partition only. */
final class RecordPartitions {

    private final boolean hasOwnPartitioner;

    /** @param hasOwnPartitioner then only the producer can tell */
    RecordPartitions(boolean hasOwnPartitioner) {
        this.hasOwnPartitioner = hasOwnPartitioner;
    }

    /** Where the record goes, or null if that is the producer's choice. Does not wait for a topic that the producer knows. */
    @Nullable
    TopicPartition choose(OutgoingRecord sending, Producer<byte[], byte[]> producer) {
        ProducerRecord<byte[], byte[]> record = sending.record;
        int count = producer.partitionsFor(record.topic()).size();
        if (hasOwnPartitioner || (record.key() == null && count > 1)) {
            return count == 1 ? new TopicPartition(record.topic(), 0) : null;
        }
        int partition = count == 1 ? 0 : Utils.toPositive(Utils.murmur2(record.key())) % count;
        // Said, since partitions may be added until the producer looks.
        sending.record = new ProducerRecord<>(
                record.topic(), partition, record.timestamp(), record.key(), record.value(), record.headers());
        return new TopicPartition(record.topic(), partition);
    }
}
