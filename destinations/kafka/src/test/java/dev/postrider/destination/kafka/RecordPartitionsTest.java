package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Where a record goes is known before it is sent, and does not change until then. */
class RecordPartitionsTest {

    private final RecordPartitions partitions = new RecordPartitions(false);
    private final OutgoingRecord sending = new OutgoingRecord(
            new ProducerRecord<>("orders", new byte[] {1}, new byte[] {2}),
            true,
            SendContext.of(new KeyRun(Unowned.LANE)),
            Duration.ofMinutes(1));

    @Test
    void aRecordGoesToTheChosenPartition() {
        TopicPartition chosen = partitions.choose(sending, producer(7));

        assertThat(chosen).isEqualTo(new TopicPartition("orders", sending.record.partition()));
    }

    /** Partitions may be added before the producer looks. */
    @Test
    void aRecordGoesToTheOnlyPartitionAlsoWhenOthersAreAdded() {
        assertThat(partitions.choose(sending, producer(1))).isEqualTo(new TopicPartition("orders", 0));
        assertThat(sending.record.partition()).isZero();
    }

    @Test
    void onlyTheProducerKnowsWhatTheUsersPartitionerChooses() {
        RecordPartitions own = new RecordPartitions(true);

        assertThat(own.choose(sending, producer(7))).isNull();
        assertThat(own.choose(sending, producer(1))).isEqualTo(new TopicPartition("orders", 0));
        assertThat(sending.record.partition()).isNull();
    }

    private static Producer<byte[], byte[]> producer(int count) {
        Node node = new Node(1, "host", 1);
        Node[] nodes = {node};
        List<PartitionInfo> all = IntStream.range(0, count)
                .mapToObj(number -> new PartitionInfo("orders", number, node, nodes, nodes))
                .toList();
        Cluster cluster = new Cluster("cluster", List.of(node), all, Set.of(), Set.of());
        return new MockProducer<>(
                cluster, true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
    }
}
