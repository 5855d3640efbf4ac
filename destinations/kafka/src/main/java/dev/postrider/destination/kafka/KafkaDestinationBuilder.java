package dev.postrider.destination.kafka;

import dev.postrider.internal.Range;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Collects the options of a {@link KafkaDestination}. A bad value is refused at once, with the value and the range; properties
 * that Kafka's own clients refuse are refused by {@link #build()}. Not thread-safe.
 */
public final class KafkaDestinationBuilder {

    private static final long DEFAULT_BUFFER_BYTES = 32L << 20;
    private static final long DEFAULT_MAX_IDLE_MILLIS = 300_000;

    final String name;
    private final String servers;
    private final Map<String, Object> given = new LinkedHashMap<>();
    private Compression compression = Compression.NONE;
    Optional<String> fencing = Optional.empty();
    WireFormat format = WireFormat.CLOUD_EVENTS;
    String source = "/postrider";
    Function<OutboxMessage, Optional<String>> topic = message -> Optional.of(message.topic());
    Optional<String> defaultTopic = Optional.empty();
    boolean allowsInternalTopics;
    Optional<TopicCreation> topicCreation = Optional.empty();
    Duration deliveryTimeout = Duration.ofSeconds(10);
    Duration closeTimeout = Duration.ofSeconds(10);
    int maxInFlight = 10_000;

    KafkaDestinationBuilder(String name, String servers) {
        this.name = Objects.requireNonNull(name, "name");
        this.servers = ClientProperties.checkedServers(Objects.requireNonNull(servers, "bootstrapServers"));
    }

    /** What a record looks like. Default: {@link WireFormat#CLOUD_EVENTS}. */
    public KafkaDestinationBuilder format(WireFormat value) {
        this.format = Objects.requireNonNull(value, "format");
        return this;
    }

    /** The CloudEvents source of messages that name none, a URI reference. Default: {@code /postrider}. */
    public KafkaDestinationBuilder source(String value) {
        this.source = Objects.requireNonNull(value, "source");
        return this;
    }

    /**
     * Leads a message to another Kafka topic than the one it names; where there is none, {@link #defaultTopic} is taken. It must
     * depend on the message alone, since order is kept within a topic. Default: the message's topic.
     */
    public KafkaDestinationBuilder topic(Function<OutboxMessage, Optional<String>> value) {
        this.topic = Objects.requireNonNull(value, "topic");
        return this;
    }

    /** The Kafka topic of messages that {@link #topic} leads nowhere. Default: none, such messages are rejected. */
    public KafkaDestinationBuilder defaultTopic(String value) {
        if (!TopicNames.isValid(value)) {
            throw new IllegalArgumentException("defaultTopic is '" + value
                    + "', expected 1 to 249 letters, digits, dots, underscores and dashes, but not . or ..");
        }
        this.defaultTopic = Optional.of(value);
        return this;
    }

    /**
     * Sends also to topics that begin with an underscore, as those of Kafka and its tools do, such as {@code _schemas}. Default: such messages are
     * rejected, since whoever can write a topic into the outbox could damage what other programs keep there.
     */
    public KafkaDestinationBuilder allowInternalTopics() {
        this.allowsInternalTopics = true;
        return this;
    }

    /**
     * Creates topics that are missing. Default: they are not created; messages for them wait until the topic exists.
     *
     * @param partitions 1 to 100,000
     * @param replicationFactor on how many brokers, 1 to 100; no more than there are
     */
    public KafkaDestinationBuilder createTopics(int partitions, int replicationFactor) {
        this.topicCreation = Optional.of(new TopicCreation(partitions, (short) replicationFactor));
        return this;
    }

    /** How batches are compressed. Default: {@link Compression#NONE}. */
    public KafkaDestinationBuilder compression(Compression value) {
        this.compression = Objects.requireNonNull(value, "compression");
        return this;
    }

    /**
     * The longest time in which a send ends; Kafka's {@code delivery.timeout.ms} becomes two thirds of it, so that there is time to
     * find a topic first. At most the relay's own deliveryTimeout. Longer rides out a change of leaders without an outage.
     * Default: 10 seconds. Range: 1 second to 30 minutes.
     */
    public KafkaDestinationBuilder deliveryTimeout(Duration value) {
        this.deliveryTimeout = Range.of("deliveryTimeout", value, Duration.ofSeconds(1), Duration.ofMinutes(30));
        return this;
    }

    /** How long close waits for outstanding records. Default: 10 seconds. Range: 0 to 1 hour. */
    public KafkaDestinationBuilder closeTimeout(Duration value) {
        this.closeTimeout = Range.of("closeTimeout", value, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /**
     * Has the broker refuse a relay that has lost a lane and does not know it: each lane that a relay owns has two producers with a
     * {@code transactional.id} of their own, this name, the lane's number and 0 or 1, and its messages go out in transactions. For consumers
     * that read committed messages only ({@code isolation.level=read_committed}), a take-over then neither duplicates nor reorders.
     * The guide tells what it costs. All relays of an outbox need the same name, which no other outbox uses. Default: none.
     *
     * @param name 1 to 200 characters, such as {@code orders-outbox}
     */
    public KafkaDestinationBuilder fencing(String name) {
        if (name.isBlank() || name.length() > 200) {
            throw new IllegalArgumentException("fencing is '" + name + "', expected 1 to 200 characters");
        }
        this.fencing = Optional.of(name);
        return this;
    }

    /** How many messages may be in flight; the relay's own limit applies too. Default: 10,000. Range: 1 to 1,000,000. */
    public KafkaDestinationBuilder maxInFlight(int value) {
        this.maxInFlight = Range.of("maxInFlight", value, 1, 1_000_000);
        return this;
    }

    /**
     * Any property of Kafka's producer, such as {@code security.protocol}; the admin client gets those that concern it. One that
     * would break a promise is refused: weaker acks, no idempotence, partitions without regard to the key, transactions other than by {@link #fencing}, and
     * what has an option here. A {@code partitioner.class} of your own must go by the key alone.
     */
    public KafkaDestinationBuilder property(String name, Object value) {
        ClientProperties.check(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        given.put(name, value);
        return this;
    }

    /** Several at once; see {@link #property}. */
    public KafkaDestinationBuilder properties(Map<String, ?> values) {
        values.forEach(this::property);
        return this;
    }

    /**
     * Opens the destination, whether or not the broker can be reached now.
     *
     * @throws IllegalArgumentException if Kafka refuses the properties
     */
    public KafkaDestination build() {
        return new KafkaDestination(this);
    }

    Map<String, Object> producerProperties(SendTimes times) {
        return ClientProperties.producer("postrider-" + name, servers, times, compression, given);
    }

    Map<String, Object> adminProperties(SendTimes times) {
        return ClientProperties.admin("postrider-" + name + "-admin", servers, times, given);
    }

    Map<String, Object> transactionalProperties(SendTimes times, String prefix, int lane, int turn) {
        return ClientProperties.transactional(producerProperties(times), prefix + "-" + lane + "-" + turn, times);
    }

    boolean hasOwnPartitioner() {
        return given.containsKey(ProducerConfig.PARTITIONER_CLASS_CONFIG);
    }

    long bufferBytes() {
        return number(ProducerConfig.BUFFER_MEMORY_CONFIG, DEFAULT_BUFFER_BYTES);
    }

    /** For how long the producer surely knows a topic that is not used: well below the time after which it forgets it. */
    Duration topicsRemembered() {
        return Duration.ofMillis(number(ProducerConfig.METADATA_MAX_IDLE_CONFIG, DEFAULT_MAX_IDLE_MILLIS) / 5);
    }

    private long number(String property, long otherwise) {
        Object configured = given.get(property);
        return configured == null
                ? otherwise
                : Long.parseLong(configured.toString().strip());
    }
}
