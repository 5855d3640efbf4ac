package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** Messages of a run arrive in the order in which they were given, also when nobody waits for one before giving the next. */
class KafkaOrderIT {

    private final Broker broker = Servers.kafka();
    private final String servers = broker.host() + ":" + broker.port();
    private final TestTopics topics = new TestTopics(servers);

    private KafkaDestinationBuilder builder() {
        return KafkaDestination.builder("kafka", servers);
    }

    @Test
    void keepsTheOrderOfThoseThatWaitForANewTopic() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder().build()) {
            List<MessageId> sent = sendAll(destination, topic, 500, 10);

            assertThat(arrivedIn(topic)).isEqualTo(sent);
        }
    }

    @Test
    void keepsTheOrderOfThoseThatWaitForATopicThatWasNotUsedForLong() {
        String topic = topics.create(1);
        // The shortest time that Kafka allows; the default of five minutes means one minute without use.
        try (KafkaDestination destination =
                builder().property("metadata.max.idle.ms", 5_000).build()) {
            List<MessageId> sent = new ArrayList<>(sendAll(destination, topic, 1, 10));
            LockSupport.parkNanos(Duration.ofMillis(1_100).toNanos());
            sent.addAll(sendAll(destination, topic, 500, 10));

            assertThat(arrivedIn(topic)).isEqualTo(sent);
        }
    }

    @Test
    void keepsTheOrderOfThoseThatWaitForTheirTurn() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder().maxInFlight(100).build()) {
            List<MessageId> sent = sendAll(destination, topic, 1_000, 10);

            assertThat(arrivedIn(topic)).isEqualTo(sent);
        }
    }

    @Test
    void keepsTheOrderOfThoseThatWaitForRoomInTheBuffer() {
        String topic = topics.create(1);
        try (KafkaDestination destination = builder()
                .deliveryTimeout(Duration.ofSeconds(80))
                .property("buffer.memory", 2_000_000)
                .build()) {
            List<MessageId> sent = new ArrayList<>(sendAll(destination, topic, 30, 500_000));
            // Small ones find room at once where a large one must wait.
            List<OutboxMessage> mixed = Stream.iterate(0, i -> i + 1)
                    .limit(60)
                    .map(i -> message(topic, i % 5 == 0 ? 500_000 : 10))
                    .toList();
            sent.addAll(sendAll(destination, mixed));

            assertThat(arrivedIn(topic)).isEqualTo(sent);
        }
    }

    @Test
    void aMissingTopicHoldsUpNoOther() {
        String missing = TestTopics.unusedName();
        String topic = topics.create(1);
        try (KafkaDestination destination = builder().build()) {
            List<CompletableFuture<DeliveryResult>> waiting = Stream.generate(() -> message(missing, 10))
                    .limit(50)
                    .map(message -> destination.send(message).toCompletableFuture())
                    .toList();
            sendAll(destination, topic, 50, 10);

            assertThat(waiting)
                    .allSatisfy(sending -> assertThat(sending)
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isNotEqualTo(DeliveryResult.DELIVERED));
            topics.create(new NewTopic(missing, 1, (short) 1));
            List<MessageId> sent = sendAll(destination, missing, 50, 10);

            assertThat(arrivedIn(missing)).isEqualTo(sent);
        }
    }

    private static OutboxMessage message(String topic, int bytes) {
        return OutboxMessage.builder(topic)
                .key("one key")
                .type("t")
                .payload(new byte[bytes])
                .build();
    }

    private static List<MessageId> sendAll(KafkaDestination destination, String topic, int count, int bytes) {
        return sendAll(
                destination,
                Stream.generate(() -> message(topic, bytes)).limit(count).toList());
    }

    private static List<MessageId> sendAll(KafkaDestination destination, List<OutboxMessage> messages) {
        KeyRun run = new KeyRun(Unowned.LANE);
        var sendings = messages.stream()
                .map(message -> destination
                        .send(message, SendContext.of(run))
                        .toCompletableFuture()
                        .orTimeout(60, TimeUnit.SECONDS))
                .toList();
        assertThat(sendings.stream().map(CompletableFuture::join)).containsOnly(DeliveryResult.DELIVERED);
        return messages.stream().map(OutboxMessage::id).toList();
    }

    private List<MessageId> arrivedIn(String topic) {
        return topics.messages(topic, 1).stream().map(OutboxMessage::id).toList();
    }
}
