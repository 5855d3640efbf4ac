package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.testkit.PipelinedKey;
import dev.postrider.testservers.PrivateKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hundreds of messages of a key in flight, and what can happen to one of them. */
class KafkaPipelineIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final PrivateKafka kafka = StoppableKafka.broker();
    private final TcpFaultProxy proxy = StoppableKafka.proxy();
    private final TestTopics topics = new TestTopics(kafka.bootstrapServers());

    @AfterEach
    void heal() {
        proxy.heal();
    }

    private KafkaDestinationBuilder builder(int port) {
        return KafkaDestination.builder("kafka", kafka.host() + ":" + port).closeTimeout(Duration.ofSeconds(1));
    }

    private KafkaDestination destination() {
        return builder(kafka.port()).build();
    }

    @Test
    void promisesOrderAndKeepsIt() {
        String topic = topics.create(2);
        try (KafkaDestination destination = destination()) {
            assertThat(destination.keyOrder()).isEqualTo(KeyOrder.PIPELINED);
            PipelinedKeys keys = PipelinedKeys.send(destination, 4, 3_000, PipelinedKeys.ofBytes(topic, 500))
                    .assertAllDelivered();

            assertThat(keys.failures()).isEmpty();
            List<OutboxMessage> arrived = topics.messages(topic, keys.count());
            assertThat(arrived).hasSize(keys.count());
            keys.assertOrderIn(arrived);
        }
    }

    /** The next one asks again: its topic, let alone the destination, has no fault. */
    @Test
    void aTopicIsLookedForAgainWhenTheProducerWasReplacedMeanwhile() {
        String topic = topics.create(1);
        SendTimes times = new SendTimes(SOON);
        KafkaDestinationBuilder options = builder(kafka.port());
        KafkaClients clients = new KafkaClients(options.producerProperties(times), options.adminProperties(times));
        TopicLookup lookup = new TopicLookup(clients, times, Optional.empty(), SOON, Runnable::run);
        try {
            SharedProducer replaced = clients.producer();
            clients.giveUp(replaced, new IllegalStateException("another topic's record failed"));

            assertThat(lookup.find(topic, replaced)).succeedsWithin(SOON);
            assertThat(lookup.isKnown(topic, replaced)).isFalse();
            SharedProducer next = clients.producer();
            assertThat(lookup.find(topic, next)).succeedsWithin(SOON);
            assertThat(lookup.isKnown(topic, next)).isTrue();
        } finally {
            clients.close(Duration.ZERO);
        }
    }

    @Test
    void keepsTheOrderOfAKeyOverTopicsAndPartitions() {
        Map<String, String> timed = Map.of("message.timestamp.type", "LogAppendTime");
        List<String> some = List.of(topics.create(3, timed), topics.create(1, timed));
        List<OutboxMessage> messages = IntStream.range(0, 300)
                .mapToObj(i -> OutboxMessage.builder(some.get(i / 7 % 2))
                        .key(i % 5 == 0 ? "other key" : "key")
                        .type("t")
                        .build())
                .toList();
        try (KafkaDestination destination = destination()) {
            PipelinedKey sent = new PipelinedKey(destination, Unowned.LANE, messages, 300, Duration.ZERO)
                    .sendAll(Duration.ofSeconds(60));
            assertThat(sent.failures()).isEmpty();
        }

        Map<String, Long> appended = new HashMap<>();
        some.forEach(
                topic -> topics.records(topic, 100).forEach(record -> appended.put(id(record), record.timestamp())));
        assertThat(messages.stream()
                        .map(message -> appended.get(message.id().toString()))
                        .toList())
                .doesNotContainNull()
                .isSorted();
    }

    private static String id(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
    }

    @Test
    void rejectsSomeAndGoesOnWithThoseBehindThem() {
        String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
        assertThatOnlyTheseAreRejected(
                topic, destination(), Map.of(250, 2 << 20, 500, 30_000, 750, 30_000, 751, 25_000));
    }

    /** The producer refuses them within {@code send} while others are on their way, since their topic would take them. */
    @Test
    void rejectsSomeThatTheProducerRefusesAndGoesOnWithThoseBehindThem() {
        String topic = topics.create(1, Map.of("max.message.bytes", "10000000"));
        assertThatOnlyTheseAreRejected(topic, destination(), Map.of(250, 2 << 20, 750, 2 << 20, 751, 3 << 20));
    }

    /** The broker rejects them while others are behind them, since the destination knows the former limit. */
    @Test
    void rejectsSomeByALimitThatWasLoweredAndGoesOnWithThoseBehindThem() {
        String topic = topics.create(1);
        KafkaDestination destination = destination();
        PipelinedKeys.send(destination, 1, 1, PipelinedKeys.ofBytes(topic, 1)).assertAllDelivered();
        topics.alter(topic, "max.message.bytes", "20000");

        assertThatOnlyTheseAreRejected(
                topic, destination, Map.of(250, 30_000, 750, 30_000, 751, 25_000, 1_800, 40_000));
    }

    private void assertThatOnlyTheseAreRejected(
            String topic, KafkaDestination destination, Map<Integer, Integer> bytes) {
        try (destination) {
            PipelinedKeys keys = PipelinedKeys.send(
                            destination,
                            2,
                            2_000,
                            number -> PipelinedKeys.ofBytes(topic, bytes.getOrDefault(number, 100))
                                    .apply(number))
                    .assertAllDeliveredBut(bytes::containsKey);

            assertThat(keys.failures()).isEmpty();
            keys.assertOrderIn(topics.messages(topic, keys.count() - 2 * bytes.size()));
        }
    }

    @Test
    void knowsThatAMessageIsTooLargeForItsTopicBeforeTheNextBegins() {
        String topic = topics.create(1, Map.of("max.message.bytes", "20000"));
        KeyRun run = new KeyRun(Unowned.LANE);
        AtomicLong rejectedAt = new AtomicLong();
        try (KafkaDestination destination = destination()) {
            PipelinedKeys.send(destination, 1, 1, PipelinedKeys.ofBytes(topic, 1))
                    .assertAllDelivered();
            var rejected = send(destination, topic, 30_000, run)
                    .whenComplete((result, failure) -> rejectedAt.set(System.currentTimeMillis()));
            var next = send(destination, topic, 10, run);

            assertThat(rejected).succeedsWithin(SOON).isInstanceOf(DeliveryResult.Reject.class);
            assertThat(next).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED);
        }
        assertThat(topics.records(topic, 2).get(1).timestamp()).isGreaterThanOrEqualTo(rejectedAt.get());
    }

    private static CompletableFuture<DeliveryResult> send(
            KafkaDestination destination, String topic, int bytes, KeyRun run) {
        return destination
                .send(PipelinedKeys.ofBytes(topic, bytes).apply(0).key("key").build(), SendContext.of(run))
                .toCompletableFuture();
    }

    @Test
    void keepsTheOrderOfThoseThatShareABatchWithAnInvalidOne() {
        String topic = topics.create(1, Map.of("cleanup.policy", "compact"));
        List<OutboxMessage> mixed = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 301 == 300
                        ? OutboxMessage.builder(topic).type("t").build()
                        : OutboxMessage.builder(topic).type("t").key("" + i).build())
                .toList();
        try (KafkaDestination destination = destination()) {
            PipelinedKey sent = new PipelinedKey(destination, Unowned.LANE, mixed, 300, Duration.ZERO)
                    .sendAll(Duration.ofSeconds(60));

            assertThat(sent.delivered()).hasSize(997);
            // The first one may cost a producer, and those with it go again; then each is looked at before others are
            // behind it.
            assertThat(sent.failures())
                    .hasSizeLessThanOrEqualTo(2)
                    .allMatch(failure -> failure instanceof DeliveryResult.Abandoned);
            assertThat(topics.messages(topic, 997).stream()
                            .map(OutboxMessage::id)
                            .distinct()
                            .toList())
                    .isEqualTo(sent.delivered().stream().map(OutboxMessage::id).toList());
        }
    }

    @Test
    void leavesNoHoleWhenTheBrokerIsFrozenForLongerThanTheDeliveryTimeout() {
        String topic = topics.create(1);
        try (KafkaDestination destination = impatient(kafka.port())) {
            PipelinedKeys keys =
                    PipelinedKeys.sendSlowly(destination, 3, 1_500 * Rounds.COUNT, PipelinedKeys.ofBytes(topic, 500));
            for (int i = 0; i < Rounds.COUNT; i++) {
                pause(500);
                kafka.freeze();
                pause(1_700);
                kafka.thaw();
            }

            keys.assertAllDelivered().assertOrderIn(topics.messages(topic, keys.count()));
            assertThat(keys.failures()).isNotEmpty();
        }
    }

    @Test
    void leavesNoHoleWhenConnectionsAreCut() {
        String topic = topics.create(1);
        try (KafkaDestination destination = impatient(proxy.port())) {
            PipelinedKeys keys =
                    PipelinedKeys.send(destination, 3, 10_000 * Rounds.COUNT, PipelinedKeys.ofBytes(topic, 500));
            for (int i = 0; i < 15 * Rounds.COUNT; i++) {
                pause(100);
                proxy.resetAll();
            }

            keys.assertAllDelivered().assertOrderIn(topics.messages(topic, keys.count()));
        }
    }

    /** Requests arrive and their answers do not, or so slowly that some records expire in the producer's memory. */
    @Test
    void leavesNoHoleWhenConnectionsAreHeldAndSlow() {
        String topic = topics.create(1);
        try (KafkaDestination destination = impatient(proxy.port())) {
            PipelinedKeys keys =
                    PipelinedKeys.sendSlowly(destination, 3, 2_000 * Rounds.COUNT, PipelinedKeys.ofBytes(topic, 500));
            for (int i = 0; i < Rounds.COUNT; i++) {
                pause(500);
                proxy.hold(TcpFaultProxy.Direction.TO_CLIENT);
                pause(1_700);
                proxy.heal();
                proxy.throttle(100_000);
                pause(1_700);
                proxy.heal();
                proxy.resetAll();
            }

            keys.assertAllDelivered().assertOrderIn(topics.messages(topic, keys.count()));
            assertThat(keys.failures()).isNotEmpty();
        }
    }

    @Test
    void leavesNoHoleBehindATopicThatIsDeletedAndMadeAgain() {
        String topic = topics.create(1);
        try (KafkaDestination destination = impatient(kafka.port())) {
            PipelinedKeys keys = PipelinedKeys.send(destination, 1, 20_000, PipelinedKeys.ofBytes(topic, 500));
            pause(100);
            topics.delete(topic);
            pause(1_000);
            topics.create(new NewTopic(topic, 1, (short) 1));

            keys.assertAllDelivered().assertTailIn(topics.messages(topic, 1));
        }
    }

    /** With small batches, so that some of a key are on their way while others are in memory. */
    private KafkaDestination impatient(int port) {
        return builder(port)
                .deliveryTimeout(Duration.ofSeconds(2))
                .property("batch.size", 2_000)
                .build();
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void beginsNothingOfARunThatIsBrokenOff() {
        String topic = topics.create(1);
        KeyRun run = new KeyRun(Unowned.LANE);
        try (KafkaDestination destination = destination()) {
            OutboxMessage message =
                    OutboxMessage.builder(topic).type("t").key("k").build();
            run.breakOff();

            CompletableFuture<DeliveryResult> late =
                    destination.send(message, SendContext.of(run)).toCompletableFuture();

            assertThat(late).succeedsWithin(Duration.ofSeconds(60)).isInstanceOf(DeliveryResult.Abandoned.class);
            assertThat(destination.send(message).toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(60))
                    .isEqualTo(DeliveryResult.DELIVERED);
            assertThat(topics.messages(topic, 1)).hasSize(1);
        }
    }

    /** It has no time left to be delivered in: one that the producer gets ends after another delivery timeout. */
    @Test
    void endsOneThatHasWaitedTooLongForRoomWithoutSendingIt() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder(kafka.port())
                .deliveryTimeout(Duration.ofSeconds(2))
                .maxInFlight(1)
                .build()) {
            PipelinedKeys.send(destination, 1, 1, PipelinedKeys.ofBytes(topic, 1))
                    .assertAllDelivered();
            kafka.freeze();
            CompletableFuture<DeliveryResult> stuck = send(destination, topic, 10, new KeyRun(Unowned.LANE));
            CompletableFuture<DeliveryResult> waiting = send(destination, topic, 10, new KeyRun(Unowned.LANE));

            assertThat(stuck).succeedsWithin(SOON).isInstanceOf(DeliveryResult.Outage.class);
            assertThat(waiting).succeedsWithin(SOON).isInstanceOf(DeliveryResult.Abandoned.class);
        } finally {
            kafka.thaw();
        }
    }

    @Test
    void endsThoseBehindOneOfAMissingTopicWithoutSendingThem() {
        String missing = TestTopics.unusedName();
        String topic = topics.create(1);
        KeyRun run = new KeyRun(Unowned.LANE);
        try (KafkaDestination destination = destination()) {
            List<DeliveryResult> results = Stream.of(missing, topic, topic)
                    .map(name -> OutboxMessage.builder(name).type("t").key("k").build())
                    .map(message ->
                            destination.send(message, SendContext.of(run)).toCompletableFuture())
                    .toList()
                    .stream()
                    .map(send -> send.orTimeout(60, TimeUnit.SECONDS).join())
                    .toList();

            assertThat(results.get(0)).isInstanceOf(DeliveryResult.Unavailable.class);
            assertThat(results.subList(1, 3)).allMatch(result -> result instanceof DeliveryResult.Abandoned);
            assertThat(topics.messages(topic, 0)).isEmpty();
        }
    }
}
