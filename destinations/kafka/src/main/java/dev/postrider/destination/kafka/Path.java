package dev.postrider.destination.kafka;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How a record goes: by which producer to which partition.
 *
 * @param producer null for a record that goes in the transactions of its lane
 * @param partition null if the producer chooses it
 * @param keepsOrder whether nothing behind it takes effect without it
 */
record Path(@Nullable SharedProducer producer, @Nullable TopicPartition partition, boolean keepsOrder) {

    /** Whether a record on this path may begin before those on the other one have ended. */
    boolean mayFollow(@Nullable Path before) {
        return before != null
                && before.keepsOrder
                && partition != null
                && partition.equals(before.partition)
                && producer == before.producer;
    }
}
