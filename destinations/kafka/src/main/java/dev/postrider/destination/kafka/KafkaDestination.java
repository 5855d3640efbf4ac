package dev.postrider.destination.kafka;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Delivers to Apache Kafka.
 *
 * <p>A message is delivered when all in-sync replicas have its record; the producer is idempotent, so its own repetitions
 * neither reorder nor duplicate. The message's key decides the partition.
 *
 * <p>Many messages of a {@link KeyRun} may be sent without waiting: what takes effect is a prefix of the run, but for rejected messages.
 * After a send has failed its record may still be appended by a request that is under way, but no record behind it is appended without
 * it. A relay that sends a message again may duplicate it, with the same id. When a message fails while others of its run are behind it,
 * the producer is replaced, and all that it had in flight ends as {@link DeliveryResult.Abandoned}.
 *
 * <p>Reconnects by itself; opening it needs no reachable broker. Thread-safe.
 *
 * <pre>{@code
 * Destination kafka = KafkaDestination.builder("kafka-main", "broker1:9092,broker2:9092")
 *         .compression(Compression.ZSTD)
 *         .build();
 * }</pre>
 */
public final class KafkaDestination implements Destination {

    private final String name;
    private final SendTimes times;
    private final Duration patience;
    private final int maxInFlight;
    private final Duration closeTimeout;
    private final Optional<TopicCreation> creation;
    private final TopicNames topicNames;
    private final RecordWriter writer;
    private final KafkaClients clients;
    private final ExecutorService helper;
    private final ExecutorService laneThreads;
    private final ClusterHealth health;
    private final RecordSender sender;
    private volatile boolean isClosed;

    KafkaDestination(KafkaDestinationBuilder options) {
        this.name = options.name;
        this.times = new SendTimes(options.deliveryTimeout);
        // Kept, since every message asks for it and a Duration is divided by way of decimals.
        this.patience = times.lookup();
        this.maxInFlight = options.maxInFlight;
        this.closeTimeout = options.closeTimeout;
        this.creation = options.topicCreation;
        this.topicNames = new TopicNames(options.topic, options.defaultTopic, options.allowsInternalTopics);
        this.writer = options.format.writer(options.source);
        this.clients = new KafkaClients(options.producerProperties(times), options.adminProperties(times));
        this.helper = Executors.newSingleThreadExecutor(task -> newThread(task, "topics"));
        this.health = new ClusterHealth(clients);
        TopicLookup topics = new TopicLookup(clients, times, options.topicCreation, options.topicsRemembered(), helper);
        this.laneThreads = Executors.newCachedThreadPool(task -> newThread(task, "lanes"));
        this.sender = new RecordSender(options, clients, topics, new RecordFailures(topics, health), helper);
        options.fencing.ifPresent(prefix -> sender.fence(fencedLanes(options, prefix)));
        clients.open();
    }

    /**
     * Starts with what is needed.
     *
     * @param name under which the destination is paused, resumed and reported, such as {@code kafka-main}
     * @param bootstrapServers some brokers as {@code host:port}, separated by commas
     */
    public static KafkaDestinationBuilder builder(String name, String bootstrapServers) {
        return new KafkaDestinationBuilder(name, bootstrapServers);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String system() {
        return "kafka";
    }

    private FencedLanes fencedLanes(KafkaDestinationBuilder options, String prefix) {
        return new FencedLanes(
                lane -> new TransactionalProducer(
                        turn -> new KafkaProducer<>(options.transactionalProperties(times, prefix, lane, turn))),
                times,
                laneThreads,
                sender);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return send(message, SendContext.of(new KeyRun(Unowned.LANE)));
    }

    /** The same; with fencing, through the producer of the lane, so that the broker refuses former owners. */
    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        if (isClosed) {
            return ended(DeliveryResult.outage("Destination " + name + " is closed"));
        }
        OutgoingRecord sending;
        try {
            ProducerRecord<byte[], byte[]> record = record(message);
            sending = new OutgoingRecord(record, record.topic().equals(message.topic()), context, patience);
        } catch (InvalidMessageException invalid) {
            return ended(DeliveryResult.reject(invalid.getMessage(), invalid));
        }
        return sender.begin(sending)
                ? sending.result
                : ended(DeliveryResult.outage("Too many messages wait for " + name + ", which has " + maxInFlight
                        + " on their way, its limit"));
    }

    private ProducerRecord<byte[], byte[]> record(OutboxMessage message) {
        return writer.write(message, topicNames.topicOf(message));
    }

    private static CompletionStage<DeliveryResult> ended(DeliveryResult result) {
        return CompletableFuture.completedFuture(result);
    }

    @Override
    public KeyOrder keyOrder() {
        return KeyOrder.PIPELINED;
    }

    @Override
    public Duration deliveryTimeout() {
        return times.total();
    }

    @Override
    public int maxInFlight() {
        return maxInFlight;
    }

    /** Asks the cluster; it is down while a topic to which records failed has no leader or too few replicas in sync. */
    @Override
    public Health healthCheck() {
        return isClosed ? Health.down("Destination " + name + " is closed") : health.check();
    }

    /** Looks at each topic: that it exists, its replicas, and how many of them must have a record. */
    @Override
    public List<Check> checks(Collection<String> topics) {
        List<Check> checks = new ArrayList<>();
        topics.forEach(topic -> checks.add(check(topic)));
        return checks;
    }

    private Check check(String topic) {
        try {
            OutboxMessage message = OutboxMessage.builder(topic).type("check").build();
            return new TopicCheck(clients, topicNames.topicOf(message), creation);
        } catch (InvalidMessageException invalid) {
            return Check.ofRejected("Kafka topic " + topic, invalid);
        }
    }

    /** Waits for outstanding records up to the close time-out; those that have not ended then fail. */
    @Override
    public void close() {
        isClosed = true;
        sender.close(closeTimeout);
        clients.close(closeTimeout);
        // Their tasks end quickly now, since all clients are closed.
        helper.shutdown();
        laneThreads.shutdown();
    }

    private Thread newThread(Runnable task, String duty) {
        Thread thread = new Thread(task, "postrider-" + name + "-" + duty);
        thread.setDaemon(true);
        return thread;
    }
}
