package dev.postrider.prove.broker;

import dev.postrider.prove.ProofException;
import dev.postrider.prove.check.Arrival;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of Kafka; each key keeps to one partition. */
final class KafkaProofBroker implements ProofBroker {

    private static final int PARTITIONS = 6;
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long PATIENCE_SECONDS = 30;

    private final String servers;
    private final String topic;

    KafkaProofBroker(String servers, String topic) {
        this.servers = servers;
        this.topic = topic;
    }

    /** Creates the topic with the broker's default number of replicas. */
    @Override
    public void prepare() {
        NewTopic wanted = new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty());
        admin(
                "create topic " + topic,
                admin -> admin.createTopics(List.of(wanted)).all());
    }

    @Override
    public List<Arrival> readAll() {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", servers, "enable.auto.commit", false, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return readTo(consumer, consumer.endOffsets(partitions));
        }
    }

    private static List<Arrival> readTo(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        List<Arrival> arrivals = new ArrayList<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL).forEach(message -> arrivals.add(arrival(message)));
        }
        return arrivals;
    }

    private static Arrival arrival(ConsumerRecord<byte[], byte[]> message) {
        Header id = message.headers().lastHeader("ce_id");
        return Content.arrival(id == null ? "none" : new String(id.value(), StandardCharsets.UTF_8), message.value());
    }

    @Override
    public void remove() {
        admin(
                "delete topic " + topic,
                admin -> admin.deleteTopics(List.of(topic)).all());
    }

    @Override
    public Map<String, String> configuration(String uri) {
        return Map.of(
                "type", "kafka",
                "bootstrap-servers", uri.substring("kafka://".length()),
                "delivery-timeout", "2s");
    }

    private interface Request {
        KafkaFuture<Void> send(Admin admin);
    }

    private void admin(String purpose, Request request) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            request.send(admin).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new ProofException(
                    "Cannot %s at kafka://%s: %s".formatted(purpose, servers, failed.getMessage()), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ProofException("Interrupted while waiting for Kafka", interrupted);
        }
    }
}
