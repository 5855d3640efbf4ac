package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only Kafka has, on the broker that all tests share. */
class KafkaQuirksIT {

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final TestTopics topics = new TestTopics(servers);

    private KafkaDestinationBuilder builder() {
        return KafkaDestination.builder("kafka", servers).deliveryTimeout(Duration.ofSeconds(20));
    }

    private static OutboxMessage.Builder message(String topic) {
        return OutboxMessage.builder(topic).type("t").payload("some bytes".getBytes(StandardCharsets.UTF_8));
    }

    private static DeliveryResult send(KafkaDestination destination, OutboxMessage message) {
        return destination
                .send(message)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void letsTheKeyDecideThePartition() {
        String topic = topics.create(6);
        try (KafkaDestination destination = builder().build()) {
            for (int i = 0; i < 60; i++) {
                assertThat(send(destination, message(topic).key("key-" + i % 12).build()))
                        .isEqualTo(DeliveryResult.DELIVERED);
            }
        }

        Map<String, Set<Integer>> partitions = topics.records(topic, 60).stream()
                .collect(Collectors.groupingBy(
                        record -> new String(record.key(), StandardCharsets.UTF_8),
                        Collectors.mapping(ConsumerRecord::partition, Collectors.toSet())));
        assertThat(partitions)
                .hasSize(12)
                .allSatisfy((key, ofKey) -> assertThat(ofKey).hasSize(1));
        assertThat(partitions.values().stream().flatMap(Set::stream).distinct().count())
                .isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void compresses(Compression compression) {
        String topic = topics.create(1);
        byte[] payload = "repeated ".repeat(1_000).getBytes(StandardCharsets.UTF_8);
        try (KafkaDestination destination = builder().compression(compression).build()) {
            assertThat(send(destination, message(topic).payload(payload).build()))
                    .isEqualTo(DeliveryResult.DELIVERED);
        }

        assertThat(topics.messages(topic, 1))
                .singleElement()
                .satisfies(arrived -> assertThat(arrived.payload()).isEqualTo(payload));
    }

    @Test
    void writesThePlainFormat() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder().format(WireFormat.PLAIN).build()) {
            assertThat(send(destination, message(topic).key("17").json("[1]").build()))
                    .isEqualTo(DeliveryResult.DELIVERED);
        }

        assertThat(topics.records(topic, 1)).singleElement().satisfies(record -> {
            assertThat(new String(record.value(), StandardCharsets.UTF_8))
                    .startsWith("{\"event_id\":")
                    .endsWith("\"payload\":[1]}");
            assertThat(record.headers().lastHeader("event_type").value()).isEqualTo(new byte[] {'t'});
        });
    }

    @Test
    void mapsTopicsAndFallsBackToTheDefault() {
        String mapped = topics.create(1);
        String fallback = topics.create(1);
        try (KafkaDestination destination = builder()
                .topic(message -> message.topic().equals("known") ? Optional.of(mapped) : Optional.empty())
                .defaultTopic(fallback)
                .build()) {
            assertThat(send(destination, message("known").build())).isEqualTo(DeliveryResult.DELIVERED);
            assertThat(send(destination, message("something else").build())).isEqualTo(DeliveryResult.DELIVERED);
        }

        assertThat(topics.records(mapped, 1)).hasSize(1);
        assertThat(topics.records(fallback, 1)).hasSize(1);
    }

    @Test
    void createsMissingTopicsWhenItMay() {
        String missing = TestTopics.unusedName();
        try (KafkaDestination destination = builder().createTopics(3, 1).build()) {
            List<DeliveryResult> results = IntStream.range(0, 20)
                    .parallel()
                    .mapToObj(i -> deliver(destination, message(missing).build()))
                    .toList();

            assertThat(results).containsOnly(DeliveryResult.DELIVERED);
        }
        assertThat(topics.records(missing, 20)).hasSizeGreaterThanOrEqualTo(20);
    }

    /** As a relay does: a broker that is not yet the leader of a topic just made may let a send end as an outage. */
    private static DeliveryResult deliver(KafkaDestination destination, OutboxMessage message) {
        DeliveryResult result = send(destination, message);
        for (int tries = 1; tries < 3 && result instanceof DeliveryResult.Outage; tries++) {
            result = send(destination, message);
        }
        return result;
    }

    @Test
    void deliversToATopicThatAppearsLater() {
        String late = TestTopics.unusedName();
        try (KafkaDestination destination = builder().build()) {
            DeliveryResult before = send(destination, message(late).build());
            topics.create(new NewTopic(late, 1, (short) 1));

            assertThat(before).isInstanceOf(DeliveryResult.Unavailable.class);
            assertThat(((Failed) before).reason()).contains(late).contains("createTopics");
            assertThat(send(destination, message(late).build())).isEqualTo(DeliveryResult.DELIVERED);
        }
    }

    @Test
    void saysWhyATopicCannotBeCreated() {
        try (KafkaDestination destination = builder().createTopics(1, 50).build()) {
            String missing = TestTopics.unusedName();

            DeliveryResult result = send(destination, message(missing).build());

            assertThat(result).isInstanceOf(DeliveryResult.Unavailable.class);
            assertThat(((Failed) result).reason()).contains(missing).contains("replication");
        }
    }

    @Test
    void rejectsWhatTheTopicFindsTooLarge() {
        String small = topics.create(1, Map.of("max.message.bytes", "2000"));
        try (KafkaDestination destination = builder().build()) {
            DeliveryResult result =
                    send(destination, message(small).payload(new byte[5_000]).build());

            assertThat(result).isInstanceOf(DeliveryResult.Reject.class);
            assertThat(((Failed) result).reason()).contains("max.message.bytes");
            assertThat(send(destination, message(small).build())).isEqualTo(DeliveryResult.DELIVERED);
        }
    }

    @Test
    void rejectsAMessageWithoutKeyForACompactedTopic() {
        String compacted = topics.create(1, Map.of("cleanup.policy", "compact"));
        try (KafkaDestination destination = builder().build()) {
            assertThat(send(destination, message(compacted).build())).isInstanceOf(DeliveryResult.Reject.class);
            assertThat(send(destination, message(compacted).key("k").build())).isEqualTo(DeliveryResult.DELIVERED);
        }
    }

    @Test
    void waitsForRoomInAFullBufferWithoutLosingAnything() {
        String topic = topics.create(1);
        int count = 40;
        try (KafkaDestination destination = builder()
                .deliveryTimeout(Duration.ofSeconds(80))
                .property("buffer.memory", 2_000_000)
                .build()) {
            var sendings = IntStream.range(0, count)
                    .mapToObj(i -> destination
                            .send(message(topic).payload(new byte[500_000]).build())
                            .toCompletableFuture())
                    .toList();

            assertThat(sendings)
                    .allSatisfy(sending -> assertThat(sending)
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isEqualTo(DeliveryResult.DELIVERED));
        }
        assertThat(topics.messages(topic, count)).hasSize(count);
    }

    @Test
    void refusesMoreThanMayWait() {
        String topic = topics.create(1);
        CompletableFuture<DeliveryResult> first;
        // Its record lingers until the destination closes.
        try (KafkaDestination destination = builder()
                .deliveryTimeout(Duration.ofMinutes(10))
                .maxInFlight(1)
                .property("linger.ms", 60_000)
                .build()) {
            first = destination.send(message(topic).build()).toCompletableFuture();
            for (int i = 0; i < 10; i++) {
                var unused = destination.send(message(topic).build());
            }

            assertThat(send(destination, message(topic).build())).isInstanceOf(DeliveryResult.Outage.class);
        }
        assertThat(first).succeedsWithin(Duration.ofSeconds(60));
    }

    @Test
    void triesOnlyTheRecordAgainForWhichThePartitionerFails() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder()
                .maxInFlight(1)
                .property("partitioner.class", FailsForOddKeys.class.getName())
                .build()) {
            for (int i = 0; i < 10; i++) {
                DeliveryResult result =
                        send(destination, message(topic).key("" + i).build());

                assertThat(result)
                        .isInstanceOf(i % 2 == 0 ? DeliveryResult.Delivered.class : DeliveryResult.Retry.class);
            }
        }
    }

    /** As a user's own may be. */
    public static final class FailsForOddKeys implements Partitioner {

        @Override
        public int partition(
                String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
            if (keyBytes[0] % 2 != 0) {
                // The type by which a producer says that it is closed.
                throw new IllegalStateException("odd");
            }
            return 0;
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }
}
