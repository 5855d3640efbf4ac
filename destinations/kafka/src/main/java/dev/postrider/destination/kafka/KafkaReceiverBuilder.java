package dev.postrider.destination.kafka;

import dev.postrider.internal.Range;
import dev.postrider.internal.Readable;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Collects the options of a {@link KafkaReceiver}; each setter refuses values outside its range. Not thread-safe. */
public final class KafkaReceiverBuilder {

    private static final int MAX_RETRY_TOPICS = 20;

    final String group;
    private final String servers;
    private final Map<String, Object> given = new LinkedHashMap<>();
    Set<String> topics = Set.of();
    Optional<String> keyAttribute = Optional.empty();
    int prefetch = 100;
    int maxAttempts = 10;
    Backoff backoff = Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));
    List<Duration> retryDelays = List.of();
    Optional<String> parkingTopic = Optional.empty();
    Optional<TopicCreation> topicCreation = Optional.empty();
    int maxUncommitted = 1_000;
    long maxBufferedBytes = 64L << 20;
    Duration rebalanceTimeout = Duration.ofSeconds(10);
    Duration closeTimeout = Duration.ofSeconds(10);
    ReceiverListener listener = ReceiverListener.NONE;

    KafkaReceiverBuilder(String group, String servers) {
        this.group = checkedTopic("group", Objects.requireNonNull(group, "group"));
        this.servers = ClientProperties.checkedServers(Objects.requireNonNull(servers, "bootstrapServers"));
    }

    private static String checkedTopic(String option, String name) {
        if (!TopicNames.isValid(name)) {
            throw new IllegalArgumentException(option + " is '" + name
                    + "', expected a name for Kafka topics: 1 to 249 letters, digits, dots, underscores and dashes");
        }
        return name;
    }

    /** The topics to receive from, one at least. Required. */
    public KafkaReceiverBuilder topics(String... names) {
        Set<String> all = new LinkedHashSet<>();
        for (String name : names) {
            all.add(checkedTopic("topics", name));
        }
        this.topics = all;
        return this;
    }

    /** How many messages may be handed over and not settled. Default: 100. Range: 1 to 10,000. */
    public KafkaReceiverBuilder prefetch(int value) {
        this.prefetch = Range.of("prefetch", value, 1, 10_000);
        return this;
    }

    /**
     * Hands over events with the same value of this attribute, {@code subject} or an extension, one at a time and in order, as if it was
     * their key; for events of producers that know no keys. One without it goes by its key. The order is that
     * of a partition. Default: none, all go by their keys.
     */
    public KafkaReceiverBuilder keyAttribute(String name) {
        this.keyAttribute = Optional.of(Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * How often a message is handed over before it is parked. While messages wait where they are, counting starts over after a
     * restart or a rebalance; with retry topics the number travels with the message. Default: 10. Range: 1 to 1,000,000.
     */
    public KafkaReceiverBuilder maxAttempts(int value) {
        this.maxAttempts = Range.of("maxAttempts", value, 1, 1_000_000);
        return this;
    }

    /**
     * How long a failed message waits where it is, holding back its key and no other. Default: exponential, 500 ms to 30 s. Not used
     * with retry topics.
     */
    public KafkaReceiverBuilder backoff(Backoff value) {
        this.backoff = Objects.requireNonNull(value, "backoff");
        return this;
    }

    /**
     * Sends failed messages through topics of their own, {@code <group>.retry.1} and so on, one for each delay: after the first failed
     * attempt the first, and so on, the last for all that follow. Nothing waits for a failed message then, so later messages of its key
     * overtake it. Default: none, failed messages wait where they are. Range: 1 to 20 delays of up to a day.
     */
    public KafkaReceiverBuilder retryTopics(Duration... delays) {
        Range.of("retryTopics", delays.length, 1, MAX_RETRY_TOPICS);
        for (Duration delay : delays) {
            Range.of("retryTopics", delay, Duration.ZERO, Duration.ofDays(1));
        }
        this.retryDelays = List.of(delays);
        return this;
    }

    /** Where messages go that can never be handled. Default: {@code <group>.parked}. */
    public KafkaReceiverBuilder parkingTopic(String topic) {
        this.parkingTopic = Optional.of(checkedTopic("parkingTopic", topic));
        return this;
    }

    /**
     * Makes topics that do not exist when the receiver starts; a parking topic so that it keeps messages for ever. Default: off, a
     * missing topic is an error.
     *
     * @param partitions 1 to 100,000
     * @param replicationFactor on how many brokers, 1 to 100; no more than there are
     */
    public KafkaReceiverBuilder createTopics(int partitions, int replicationFactor) {
        this.topicCreation = Optional.of(new TopicCreation(partitions, (short) replicationFactor));
        return this;
    }

    /**
     * How many records of a partition may be taken beyond the first that is not done with: this many may arrive again after a
     * crash, and this many keys flow past a failing one before the partition waits for it. One fetch may exceed it. Default: 1,000.
     * Range: 1 to 100,000.
     */
    public KafkaReceiverBuilder maxUncommitted(int value) {
        this.maxUncommitted = Range.of("maxUncommitted", value, 1, 100_000);
        return this;
    }

    /**
     * How many bytes of records may wait in memory, those in Kafka's own buffers not counted; one fetch may exceed it. Default:
     * 67,108,864. Range: 1,024 to 4,294,967,296.
     */
    public KafkaReceiverBuilder maxBufferedBytes(long value) {
        this.maxBufferedBytes = Range.of("maxBufferedBytes", value, 1_024, 4L << 30);
        return this;
    }

    /**
     * How long a partition that moves to another member waits for its handlers, with the whole group. What runs longer is handled again
     * elsewhere, perhaps at the same time. Default: 10 seconds. Range: 0 to 1 hour, and at most half of {@code max.poll.interval.ms}.
     */
    public KafkaReceiverBuilder rebalanceTimeout(Duration value) {
        this.rebalanceTimeout = Range.of("rebalanceTimeout", value, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /** How long close waits for messages that are on their way to another topic. Default: 10 seconds. Range: 0 to 1 hour. */
    public KafkaReceiverBuilder closeTimeout(Duration value) {
        this.closeTimeout = Range.of("closeTimeout", value, Duration.ZERO, Duration.ofHours(1));
        return this;
    }

    /** Told of what the receiver does, such as {@code ReceiverMetrics}. Default: none. */
    public KafkaReceiverBuilder listener(ReceiverListener value) {
        this.listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /**
     * Any property of Kafka's consumer, such as {@code security.protocol}; the clients that write to other topics get those that concern
     * them. One that would break a promise is refused: automatic commits, beginning at the latest record, and what has an option
     * here.
     */
    public KafkaReceiverBuilder property(String name, Object value) {
        ConsumerProperties.check(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        given.put(name, value);
        return this;
    }

    /** Several at once; see {@link #property}. */
    public KafkaReceiverBuilder properties(Map<String, ?> values) {
        values.forEach(this::property);
        return this;
    }

    /** @throws IllegalArgumentException if options are missing or do not fit together */
    public KafkaReceiver build() {
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("topics is missing, expected one at least");
        }
        if (rebalanceTimeout.multipliedBy(2).compareTo(ConsumerProperties.maxPollInterval(given)) > 0) {
            throw new IllegalArgumentException("rebalanceTimeout is " + Readable.time(rebalanceTimeout)
                    + ", expected at most half of max.poll.interval.ms: the group would take the member for dead");
        }
        RetryPlan plan = plan();
        for (String own : plan.ownTopics()) {
            checkedTopic("group", own);
            if (topics.contains(own)) {
                throw new IllegalArgumentException("topics has '" + own + "', where messages are set aside");
            }
        }
        return new KafkaReceiver(this);
    }

    RetryPlan plan() {
        return new RetryPlan(group, maxAttempts, backoff, retryDelays, parkingTopic.orElse(group + ".parked"));
    }

    Map<String, Object> consumerProperties() {
        return ConsumerProperties.consumer(group, servers, given);
    }

    Map<String, Object> producerProperties(SendTimes times) {
        return ConsumerProperties.producer(group, servers, times, given);
    }

    Map<String, Object> adminProperties(SendTimes times) {
        return ConsumerProperties.admin(group, servers, times, given);
    }
}
