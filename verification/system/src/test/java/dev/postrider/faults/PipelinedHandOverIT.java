package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.run.ChildProcess;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/**
 * A relay is stopped with hundreds of messages of one key in flight to Kafka, for longer than its lease; another takes over, and the first one
 * goes on. Whatever arrives twice, nothing arrives for the first time before an earlier message of the key.
 */
class PipelinedHandOverIT {

    private static final int ROUNDS = 2;
    private static final int BURST = 3_000;

    private final Database database = Servers.postgres().createDatabase("handover");
    private final OutboxStore store = Stores.open(database.jdbcUrl(), database.dataSource(), SchemaMode.CREATE);
    private final Outbox outbox = Outbox.withDefaults(store);
    private final String topic = "handover-" + UUID.randomUUID();
    private int written;

    @Test
    void keepsTheOrderOfAKeyWhoseOwnerIsStoppedInTheMiddle() throws SQLException {
        try (ChildProcess first = relay("relay-0");
                ChildProcess second = relay("relay-1")) {
            for (int round = 0; round < ROUNDS; round++) {
                write();
                awaitUndelivered(left -> left < BURST - 300);
                ChildProcess stopped = round % 2 == 0 ? first : second;
                // One of the two owns the lane. If it is the other one, that goes on, and is stopped in the next round.
                stopped.freeze();
                write();
                Eventually.pause(ChainBroker.DELIVERY_TIMEOUT.multipliedBy(2));
                awaitUndelivered(left -> left < BURST);
                stopped.thaw();
                awaitUndelivered(left -> left == 0);
            }
        }
        assertThat(firstArrivals())
                .isEqualTo(IntStream.rangeClosed(1, written).boxed().toList());
    }

    private ChildProcess relay(String name) {
        Broker broker = ChainBroker.KAFKA.server();
        return ChainSettings.of(ChainRole.RELAY, ChainBroker.KAFKA, broker, database, topic, name)
                .start();
    }

    private void write() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            messages.add(outbox.message(topic)
                    .key("account-1")
                    .type("Changed")
                    .payload(String.valueOf(++written).getBytes(StandardCharsets.UTF_8))
                    .build());
        }
        outbox.inTransaction(database.dataSource(), tx -> tx.enqueue(messages));
    }

    private void awaitUndelivered(LongPredicate condition) {
        Eventually.holds("deliveries", () -> condition.test(store.stats().undelivered()));
    }

    /** The numbers in the order in which they arrived for the first time. */
    private List<Integer> firstArrivals() {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                ChainBroker.KAFKA.server().host() + ":"
                        + ChainBroker.KAFKA.server().port());
        List<Integer> numbers = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        try (var consumer = new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(PipelinedHandOverIT::partition)
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(500)).forEach(record -> {
                    int number = Integer.parseInt(record.value());
                    if (seen.add(number)) {
                        numbers.add(number);
                    }
                });
            }
        }
        return numbers;
    }

    private static TopicPartition partition(PartitionInfo info) {
        return new TopicPartition(info.topic(), info.partition());
    }
}
