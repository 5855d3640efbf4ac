package dev.postrider.bench.broker;

import static java.util.Objects.requireNonNull;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaDestinationBuilder;
import dev.postrider.spi.Destination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A Kafka cluster and a topic; the bare client is a producer with its defaults: acks=all, idempotent. */
final class BenchKafka implements BenchBroker {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LONGEST_CREATION = Duration.ofMinutes(2);

    private final String servers;
    private final int partitions;
    private final boolean isFenced;
    private String topic = "";

    BenchKafka(String servers, int partitions, boolean isFenced) throws Exception {
        this.servers = servers;
        this.partitions = partitions;
        this.isFenced = isFenced;
        createTopic();
    }

    @Override
    public Destination destination() {
        String current = topic;
        KafkaDestinationBuilder builder =
                KafkaDestination.builder("kafka", servers).topic(message -> Optional.of(current));
        return (isFenced ? builder.fencing("bench") : builder).build();
    }

    @Override
    public void send(List<BareMessage> messages, DrainTimer timer) {
        List<ProducerRecord<byte[], byte[]>> records =
                messages.stream().map(this::record).toList();
        AtomicLong acknowledged = new AtomicLong();
        AtomicReference<Optional<Exception>> refusal = new AtomicReference<>(Optional.empty());
        Map<String, Object> properties = Map.of("bootstrap.servers", servers);
        var serializer = new ByteArraySerializer();
        try (var producer = new KafkaProducer<>(properties, serializer, serializer)) {
            producer.partitionsFor(topic);
            for (ProducerRecord<byte[], byte[]> record : records) {
                var unused = producer.send(record, (metadata, failure) -> {
                    if (failure == null) {
                        timer.reached(acknowledged.incrementAndGet());
                    } else {
                        refusal.set(Optional.of(failure));
                    }
                });
            }
        }
        requireNonNull(refusal.get()).ifPresent(failure -> {
            throw new BenchException("Kafka did not take all messages of the bare client: " + failure, failure);
        });
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

    /** Read one by one: offsets count the ends of transactions too. */
    @Override
    public long count() {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", servers, "enable.auto.commit", false, "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return count(consumer, consumer.endOffsets(partitions));
        }
    }

    private static long count(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        long count = 0;
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            count += consumer.poll(POLL).count();
        }
        return count;
    }

    @Override
    public void clear() throws Exception {
        deleteTopic();
        createTopic();
    }

    private void createTopic() throws ExecutionException, InterruptedException {
        topic = "postrider-bench-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get();
            awaitPartitions(admin);
        }
    }

    /** A partition answers when it can be written to. A batch that comes earlier may wait until it is too old. */
    private void awaitPartitions(Admin admin) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends =
                partitions().stream().collect(Collectors.toMap(Function.identity(), any -> OffsetSpec.latest()));
        long giveUp = System.nanoTime() + LONGEST_CREATION.toNanos();
        while (true) {
            try {
                admin.listOffsets(ends).all().get();
                return;
            } catch (ExecutionException notYet) {
                if (!(notYet.getCause() instanceof RetriableException) || System.nanoTime() > giveUp) {
                    throw notYet;
                }
                Thread.sleep(50);
            }
        }
    }

    private List<TopicPartition> partitions() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private void deleteTopic() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    @Override
    public void remove() throws Exception {
        deleteTopic();
    }
}
