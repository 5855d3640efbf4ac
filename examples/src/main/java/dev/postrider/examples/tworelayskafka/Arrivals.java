package dev.postrider.examples.tworelayskafka;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What a plain Kafka consumer saw: the types of the events of each key as they came, and the ids that it knew already. */
final class Arrivals {

    private final Map<String, List<String>> typesByKey = new LinkedHashMap<>();
    private final Set<String> ids = new HashSet<>();
    private int duplicates;

    private Arrivals() {}

    /** Reads a topic from its start until {@code expected} different events have come, or for half a minute. */
    static Arrivals read(String servers, String topic, int expected) {
        Map<String, Object> properties = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                ConsumerConfig.GROUP_ID_CONFIG,
                UUID.randomUUID().toString(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest");
        Arrivals arrivals = new Arrivals();
        Instant end = Instant.now().plusSeconds(30);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (arrivals.distinct() < expected && Instant.now().isBefore(end)) {
                consumer.poll(Duration.ofMillis(200)).forEach(arrivals::add);
            }
        }
        return arrivals;
    }

    private void add(ConsumerRecord<String, String> event) {
        if (ids.add(header(event, "ce_id"))) {
            typesByKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(header(event, "ce_type"));
        } else {
            duplicates++;
        }
    }

    private static String header(ConsumerRecord<String, String> event, String name) {
        Header header = event.headers().lastHeader(name);
        return new StringDeserializer().deserialize(event.topic(), header.value());
    }

    int distinct() {
        return ids.size();
    }

    int duplicates() {
        return duplicates;
    }

    long outOfOrder(List<String> expected) {
        return typesByKey.values().stream()
                .filter(types -> !types.equals(expected))
                .count();
    }
}
