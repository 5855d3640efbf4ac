package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Internal;
import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The user's own partitioner, whose failures are told apart from the producer's.
 *
 * <p>A producer that never works again says so by exceptions of general types. Thrown by a partitioner the same types would look
 * like that, and one bad record would end the producer of all. Public for Kafka only, which makes it by its class.
 */
@Internal
public class ContainedPartitioner implements Partitioner {

    /** The property with the class of the user's partitioner. */
    static final String CLASS_CONFIG = "postrider.partitioner.class";

    private @Nullable Partitioner own;

    /** Without a partitioner until it is configured. */
    public ContainedPartitioner() {}

    @Override
    public void configure(Map<String, ?> settings) {
        Partitioner made = (Partitioner) Utils.newInstance((Class<?>) settings.get(CLASS_CONFIG));
        own = made;
        made.configure(settings);
    }

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        Partitioner partitioner = requireNonNull(own);
        try {
            return partitioner.partition(topic, key, keyBytes, value, valueBytes, cluster);
        } catch (RuntimeException | Error failure) {
            throw new PartitionerFailedException(partitioner.getClass(), failure);
        }
    }

    /** The user's partitioner, once it is made. */
    final @Nullable Partitioner own() {
        return own;
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }

    /** The partitioner failed on one record. */
    static final class PartitionerFailedException extends KafkaException {

        private static final long serialVersionUID = 1L;

        PartitionerFailedException(Class<?> partitioner, Throwable failure) {
            super(partitioner.getName() + " threw " + failure, failure);
        }
    }
}
