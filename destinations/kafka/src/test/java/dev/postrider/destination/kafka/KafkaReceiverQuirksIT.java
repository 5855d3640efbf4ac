package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.testkit.RecordedReceptions;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only Kafka has, on the broker that all tests share. */
class KafkaReceiverQuirksIT {

    private static final Duration QUIET = Duration.ofMillis(500);

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final KafkaReceiverFixture fixture = new KafkaReceiverFixture(servers);

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private OutboxMessage message(String key) {
        return OutboxMessage.builder(fixture.topic()).type("t").key(key).build();
    }

    private OutboxMessage send(String key) {
        OutboxMessage message = message(key);
        fixture.send(message);
        return message;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void commitsNothingBehindTheFirstThatIsNotDoneWith() throws InterruptedException {
        OutboxMessage first = send("a");
        OutboxMessage second = send("c");
        try (KafkaReceiver receiver = fixture.builder().build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            deliveries.next();
            deliveries.next().acknowledge();
        }

        try (KafkaReceiver again = fixture.builder().build()) {
            Deliveries deliveries = Deliveries.of(again);
            assertThat(List.of(
                            deliveries.next().message().id(),
                            deliveries.next().message().id()))
                    .containsExactly(first.id(), second.id());
        }
    }

    @Test
    void handsOverEventsOfOneSubjectOneAtATimeIfItIsTheKey() throws InterruptedException {
        OutboxMessage first = sendAbout("book-1", "a");
        OutboxMessage second = sendAbout("book-1", "c");
        OutboxMessage other = sendAbout("book-2", "e");
        try (KafkaReceiver receiver = fixture.builder().keyAttribute("subject").build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            Delivery handled = deliveries.next();
            assertThat(handled.message().id()).isEqualTo(first.id());
            // The second waits for the first, so the third comes before it.
            assertThat(deliveries.next().message().id()).isEqualTo(other.id());
            handled.acknowledge();
            assertThat(deliveries.next().message().id()).isEqualTo(second.id());
        }
    }

    private OutboxMessage sendAbout(String subject, String key) {
        OutboxMessage message = OutboxMessage.builder(fixture.topic())
                .type("t")
                .key(key)
                .header(Headers.SUBJECT, subject)
                .build();
        fixture.send(message);
        return message;
    }

    @Test
    void parksAtOnceWhatIsNoEventAndGoesOn() throws InterruptedException {
        List<RecordHeaders> malformed = List.of(
                new RecordHeaders(),
                headers("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/s"),
                headers("ce_specversion", "1.0", "ce_id", "", "ce_source", "/s", "ce_type", "t"),
                new RecordHeaders(headers("ce_id", "1").add("ce_type", null)));
        malformed.forEach(headers ->
                fixture.producer().send(new ProducerRecord<>(fixture.topic(), 0, utf8("b"), utf8("value"), headers)));
        fixture.producer().send(new ProducerRecord<>(fixture.topic(), 0, null, null));
        OutboxMessage good = send("b");

        try (KafkaReceiver receiver = fixture.builder().build()) {
            assertThat(Deliveries.of(receiver).next().message().id()).isEqualTo(good.id());
            List<ConsumerRecord<byte[], byte[]>> parked =
                    fixture.topics().records(fixture.parkingTopic(), malformed.size() + 1);
            assertThat(parked).hasSize(malformed.size() + 1).allSatisfy(record -> {
                assertThat(header(record, ForwardHeaders.REASON)).contains("no CloudEvent");
                assertThat(header(record, ForwardHeaders.TOPIC)).isEqualTo(fixture.topic());
                assertThat(header(record, ForwardHeaders.GROUP)).isEqualTo(fixture.group());
                assertThat(header(record, ForwardHeaders.POSITION)).startsWith("0@");
            });
            assertThat(parked)
                    .filteredOn(record -> record.key() != null)
                    .hasSize(malformed.size())
                    .allSatisfy(record -> assertThat(record.value()).isEqualTo(utf8("value")));
        }
    }

    private static RecordHeaders headers(String... namesAndValues) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], utf8(namesAndValues[i + 1]));
        }
        return headers;
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return ForwardHeaders.text(record, name).orElseThrow();
    }

    @Test
    void parksWhatIsHuge() throws InterruptedException {
        String topic = fixture.topics().create(1, Map.of("max.message.bytes", "12000000"));
        byte[] payload = new byte[5_000_000];
        fixture.producer()
                .send(OutboxMessage.builder(topic).type("t").payload(payload).build(), 0);
        try (KafkaReceiver receiver = fixture.builder().topics(topic).build()) {
            Deliveries.of(receiver).next().park("too much");

            assertThat(fixture.parked(1))
                    .singleElement()
                    .satisfies(parked -> assertThat(parked.payload()).isEqualTo(payload));
        }
    }

    @Test
    void stopsFetchingAPartitionThatIsHeldUp() throws InterruptedException {
        int sent = 300;
        IntStream.range(0, sent).forEach(i -> send("b".repeat(2 * (i % 60) + 1)));
        try (KafkaReceiver receiver = fixture.builder()
                .maxUncommitted(10)
                .prefetch(1_000)
                .property("max.poll.records", 10)
                .build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            Delivery blocking = deliveries.next();
            int before = 1;
            while (!deliveries.isQuietFor(QUIET)) {
                before++;
            }

            assertThat(before)
                    .as("handed over past a message that is not settled")
                    .isLessThanOrEqualTo(40);
            blocking.acknowledge();
        }
    }

    @Test
    void goesOnPollingWhileAHandlerTakesItsTime() throws InterruptedException {
        send("a");
        try (KafkaReceiver receiver = fixture.builder()
                .property("max.poll.interval.ms", 2_000)
                .rebalanceTimeout(Duration.ofSeconds(1))
                .build()) {
            Deliveries deliveries = Deliveries.of(receiver);
            Delivery slow = deliveries.next();

            assertThat(deliveries.isQuietFor(Duration.ofSeconds(4)))
                    .as("the member keeps its partitions")
                    .isTrue();
            slow.acknowledge();
        }
        try (KafkaReceiver again = fixture.builder().build()) {
            assertThat(Deliveries.of(again).isQuietFor(Duration.ofSeconds(2))).isTrue();
        }
    }

    @Test
    void countsAttemptsOverRestartsWithRetryTopics() throws InterruptedException {
        KafkaReceiverBuilder builder = fixture.builder().retryTopics(Duration.ofMillis(50));
        OutboxMessage sent = send("a");
        try (KafkaReceiver receiver = builder.build()) {
            assertThat(receiver.ordering()).isEqualTo(Ordering.NONE);
            Deliveries.of(receiver).next().retryLater("not yet");
        }

        try (KafkaReceiver again = builder.build()) {
            Delivery second = Deliveries.of(again).next();
            assertThat(second.attempt()).isEqualTo(2);
            assertThat(second.message().id()).isEqualTo(sent.id());
            assertThat(second.message().topic()).isEqualTo(fixture.topic());
            assertThat(second.message().headers().asMap()).doesNotContainKey(ForwardHeaders.ATTEMPTS);
            second.acknowledge();
        }
        assertThat(fixture.topics().records(fixture.group() + ".retry.1", 1))
                .singleElement()
                .satisfies(record ->
                        assertThat(header(record, ForwardHeaders.REASON)).isEqualTo("not yet"));
    }

    @Test
    void holdsUpAndReportsUntilAMessageIsSafelyParked() throws Exception {
        OutboxMessage sent = send("a");
        try (KafkaReceiver receiver = fixture.builder().build();
                Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Delivery delivery = Deliveries.of(receiver).next();
            admin.deleteTopics(List.of(fixture.parkingTopic())).all().get();

            delivery.park("unreadable");
            awaitHealth(receiver, fixture.parkingTopic());
            assertThat(admin.listConsumerGroupOffsets(fixture.group())
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .values())
                    .as("committed before it is safe")
                    .noneMatch(committed -> committed != null && committed.offset() > 0);
            fixture.topics().create(new NewTopic(fixture.parkingTopic(), 1, (short) 1));

            assertThat(fixture.parked(1)).extracting(OutboxMessage::id).contains(sent.id());
        }
        try (KafkaReceiver again = fixture.builder().build()) {
            assertThat(Deliveries.of(again).isQuietFor(Duration.ofSeconds(2))).isTrue();
        }
    }

    private static void awaitHealth(Receiver receiver, String reason) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!(receiver.healthCheck() instanceof Health.Down down
                && down.reason().contains(reason))) {
            assertThat(System.nanoTime()).as("health names %s", reason).isLessThan(deadline);
            Thread.sleep(100);
        }
    }

    @Test
    void namesATopicThatIsMissing() {
        String missing = TestTopics.unusedName();
        try (KafkaReceiver receiver =
                KafkaReceiver.builder("g", servers).topics(missing).build()) {
            assertThatThrownBy(() -> receiver.start(Subscription.toAll("test"), delivery -> {}))
                    .isInstanceOf(ReceiverException.class)
                    .hasMessageContaining(missing)
                    .hasMessageContaining("createTopics");
            assertThat(receiver.termination().toCompletableFuture()).isCompletedExceptionally();
        }
    }

    @Test
    void endsWhenAnotherTakesItsPlaceInTheGroup() throws InterruptedException {
        send("a");
        try (KafkaReceiver first =
                        fixture.builder().property("group.instance.id", "one").build();
                KafkaReceiver second =
                        fixture.builder().property("group.instance.id", "one").build()) {
            Deliveries.of(first).next().acknowledge();
            Deliveries.of(second);

            assertThat(first.termination().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .withMessageContaining("group.instance.id");
        }
    }

    @Test
    void tellsItsListenerOfARecordThatIsNoEvent() {
        RecordedReceptions receptions = new RecordedReceptions();
        try (KafkaReceiver receiver = fixture.builder().listener(receptions).build()) {
            var unused = Deliveries.of(receiver);
            fixture.producer().send(new ProducerRecord<>(fixture.topic(), 0, null, utf8("no event")));

            assertThat(fixture.topics().records(fixture.parkingTopic(), 1)).hasSize(1);
            assertThat(receptions.reports()).containsExactly("parked");
        }
    }
}
