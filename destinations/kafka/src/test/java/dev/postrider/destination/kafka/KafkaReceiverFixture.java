package dev.postrider.destination.kafka;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A topic of two partitions and a group of their own for each test. */
final class KafkaReceiverFixture implements ReceiverFixture {

    static final int MAX_ATTEMPTS = 3;

    private final String servers;
    private final UnaryOperator<KafkaReceiverBuilder> options;
    private final TestTopics topics;
    private final String topic;
    private final String group = "group-" + TestTopics.unusedName();
    private final TestProducer producer;
    private final List<Receiver> receivers = new ArrayList<>();

    KafkaReceiverFixture(String servers) {
        this(servers, options -> options);
    }

    KafkaReceiverFixture(String servers, UnaryOperator<KafkaReceiverBuilder> options) {
        this.servers = servers;
        this.options = options;
        this.topics = new TestTopics(servers);
        this.topic = topics.create(2);
        this.producer = new TestProducer(servers);
    }

    @Override
    public Receiver open(int prefetch, ReceiverListener listener) {
        Receiver receiver =
                options.apply(builder().prefetch(prefetch).listener(listener)).build();
        receivers.add(receiver);
        return receiver;
    }

    KafkaReceiverBuilder builder() {
        return KafkaReceiver.builder(group, servers)
                .topics(topic)
                .maxAttempts(MAX_ATTEMPTS)
                .backoff(Backoff.constant(Duration.ofMillis(100)))
                .createTopics(2, 1);
    }

    @Override
    public String topic() {
        return topic;
    }

    String group() {
        return group;
    }

    @Override
    public int maxAttempts() {
        return MAX_ATTEMPTS;
    }

    @Override
    public void send(OutboxMessage message) {
        awaitMembers();
        producer.send(message, partitionOf(message));
    }

    /** A message that one member has while another joins may arrive twice, which tests of one at a time do not expect. */
    private void awaitMembers() {
        long members = receivers.stream()
                .filter(receiver ->
                        !receiver.termination().toCompletableFuture().isDone())
                .count();
        if (members > 1) {
            topics.awaitMembers(group, members);
        }
    }

    /** So that keys of one letter are in turn in one partition and the other. */
    private static int partitionOf(OutboxMessage message) {
        return Math.floorMod(message.key().orElse("").hashCode(), 2);
    }

    TestProducer producer() {
        return producer;
    }

    TestTopics topics() {
        return topics;
    }

    String parkingTopic() {
        return group + ".parked";
    }

    @Override
    public List<OutboxMessage> parked(int count) {
        return topics.messages(parkingTopic(), count);
    }

    @Override
    public void close() {
        producer.close();
    }
}
