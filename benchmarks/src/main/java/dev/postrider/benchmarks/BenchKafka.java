package dev.postrider.benchmarks;

import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaDestinationBuilder;
import dev.postrider.spi.Destination;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateBroker;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One Kafka node and a topic with six partitions; the bare client is a producer with its defaults: acks=all, idempotent. */
final class BenchKafka implements BenchBroker {

    private static final int PARTITIONS = 6;

    private final Broker broker;
    private final Optional<PrivateBroker> started;
    private final boolean isFenced;
    private String topic = "";

    private BenchKafka(Broker broker, Optional<PrivateBroker> started, boolean isFenced) throws Exception {
        this.broker = broker;
        this.started = started;
        this.isFenced = isFenced;
        createTopic();
    }

    static BenchKafka start(boolean fast) throws Exception {
        return start(fast, false);
    }

    /** The destination sends in transactions of each lane. */
    static BenchKafka startFenced(boolean fast) throws Exception {
        return start(fast, true);
    }

    private static BenchKafka start(boolean fast, boolean isFenced) throws Exception {
        if (fast) {
            return new BenchKafka(Servers.kafka(), Optional.empty(), isFenced);
        }
        PrivateBroker server = KafkaServer.startPrivate();
        return new BenchKafka(server, Optional.of(server), isFenced);
    }

    private String servers() {
        return broker.host() + ":" + broker.port();
    }

    @Override
    public Destination destination() {
        String current = topic;
        KafkaDestinationBuilder builder =
                KafkaDestination.builder("kafka", servers()).topic(message -> Optional.of(current));
        return (isFenced ? builder.fencing("bench") : builder).build();
    }

    @Override
    public void send(List<BareMessage> messages, Stretch stretch) {
        List<ProducerRecord<byte[], byte[]>> records =
                messages.stream().map(this::record).toList();
        AtomicLong acknowledged = new AtomicLong();
        Map<String, Object> properties = Map.of("bootstrap.servers", servers());
        var serializer = new ByteArraySerializer();
        try (var producer = new KafkaProducer<>(properties, serializer, serializer)) {
            producer.partitionsFor(topic);
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(record, (metadata, failure) -> {
                    if (failure == null) {
                        stretch.reached(acknowledged.incrementAndGet());
                    }
                });
            }
        }
    }

    private ProducerRecord<byte[], byte[]> record(BareMessage message) {
        RecordHeaders headers = new RecordHeaders();
        message.attributes().forEach((name, value) -> headers.add("ce_" + name, utf8(value)));
        headers.add("content-type", utf8(message.contentType()));
        return new ProducerRecord<>(topic, null, null, utf8(message.key()), message.payload(), headers);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void clear() throws Exception {
        deleteTopic();
        createTopic();
    }

    private void createTopic() throws ExecutionException, InterruptedException {
        topic = TOPIC + "-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }

    private void deleteTopic() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    @Override
    public void close() {
        started.ifPresent(PrivateBroker::close);
    }
}
