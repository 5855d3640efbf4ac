package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.SendContext;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays that own a lane one after the other; the first does not know that it has lost the lane. */
class KafkaFencingIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PrivateKafka kafka = StoppableKafka.broker();
    private final TcpFaultProxy proxy = StoppableKafka.proxy();
    private final TestTopics topics = new TestTopics(kafka.bootstrapServers());
    private final String outbox = "outbox-" + UUID.randomUUID();
    private final KafkaDestination former = destination(proxy.port());
    private final KafkaDestination later = destination(kafka.port());
    private final Tenure first = new Tenure(1);
    private final Tenure second = new Tenure(2);
    private String topic = topics.create(2);

    @AfterEach
    void close() {
        proxy.heal();
        former.close();
        later.close();
    }

    private KafkaDestination destination(int port) {
        return KafkaDestination.builder("kafka", kafka.host() + ":" + port)
                .fencing(outbox)
                .deliveryTimeout(Duration.ofSeconds(15))
                .closeTimeout(Duration.ofSeconds(1))
                .build();
    }

    @Test
    void refusesAFormerOwnerThatStillBelievesInItsLease() {
        OutboxMessage before = message();
        OutboxMessage after = message();
        deliver(former, before, first);
        deliver(later, after, second);

        assertThat(send(former, message(), first)).isInstanceOf(DeliveryResult.Outage.class);

        assertThat(committed(2)).containsExactlyInAnyOrder(before.id(), after.id());
    }

    /** The transactions of a lane go by two producers in turn: either may be the one that is open. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void showsAMessageOnceThatBothOwnersSent(int transactionsBefore) {
        for (int i = 0; i < transactionsBefore; i++) {
            deliver(former, message(), first);
        }
        OutboxMessage inDoubt = message();
        proxy.hold(TcpFaultProxy.Direction.TO_CLIENT);
        CompletableFuture<DeliveryResult> stuck =
                former.send(inDoubt, SendContext.of(new KeyRun(first))).toCompletableFuture();
        assertThat(topics.messages(topic, transactionsBefore + 1)).hasSize(transactionsBefore + 1);

        deliver(later, inDoubt, second);
        first.isCertain = false;
        proxy.heal();

        assertThat(stuck).succeedsWithin(PATIENCE).isNotEqualTo(DeliveryResult.DELIVERED);
        assertThat(committed(transactionsBefore + 1))
                .hasSize(transactionsBefore + 1)
                .contains(inDoubt.id());
        assertThat(topics.messages(topic, transactionsBefore + 1)).hasSize(transactionsBefore + 2);
    }

    /** It would fence the owner otherwise. */
    @Test
    void doesNotBeginOnceItsLeaseMayBeOver() {
        deliver(later, message(), second);
        first.isCertain = false;

        assertThat(send(former, message(), first)).isInstanceOf(DeliveryResult.Retry.class);

        assertThat(send(later, message(), second)).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(committed(2)).hasSize(2);
    }

    /** A relay that was stopped between looking at its lease and beginning. */
    @Test
    void takesALaneBackFromAFormerOwnerThatBeganLate() {
        deliver(later, message(), second);
        deliver(former, message(), first);

        assertThat(send(later, message(), second)).isInstanceOf(DeliveryResult.Outage.class);
        deliver(later, message(), second);
        assertThat(send(former, message(), first)).isInstanceOf(DeliveryResult.Outage.class);
    }

    @Test
    void refusesAnOlderEpochOfTheSameProcess() {
        deliver(later, message(), second);

        assertThat(send(later, message(), first)).isInstanceOf(DeliveryResult.Retry.class);
        assertThat(send(later, message(), second)).isEqualTo(DeliveryResult.DELIVERED);
    }

    /** The client refuses it at once, and fails what it has not sent yet of the transaction with the same error. */
    @Test
    void deliversTheOthersOfATransactionThatTheClientRefusedOneOf() {
        deliver(later, message(), second);

        assertThatOnlyTheLargeOneIsRefused(2 << 20);
    }

    /** The broker refuses it, so that at first nobody knows which one it was. */
    @Test
    void deliversTheOthersOfATransactionThatTheBrokerRefusedOneOf() {
        topic = topics.create(2, Map.of("max.message.bytes", "20000"));
        deliver(later, message(), second);

        assertThatOnlyTheLargeOneIsRefused(40_000);
    }

    private void assertThatOnlyTheLargeOneIsRefused(int bytes) {
        List<CompletableFuture<DeliveryResult>> sends = IntStream.range(0, 50)
                .mapToObj(i -> later.send(i == 25 ? large(bytes) : message(), SendContext.of(new KeyRun(second)))
                        .toCompletableFuture())
                .toList();

        for (int i = 0; i < sends.size(); i++) {
            Class<?> expected = i == 25 ? DeliveryResult.Reject.class : DeliveryResult.Delivered.class;
            assertThat(sends.get(i)).succeedsWithin(PATIENCE).isInstanceOf(expected);
        }
        assertThat(committed(50)).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void sendsOutsideOfARelayWithoutTransactions() {
        assertThat(later.send(message()).toCompletableFuture())
                .succeedsWithin(PATIENCE)
                .isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void waitsForOpenTransactionsWhenItCloses() {
        deliver(later, message(), second);
        List<CompletableFuture<DeliveryResult>> sends = IntStream.range(0, 20)
                .mapToObj(i -> later.send(message(), SendContext.of(new KeyRun(second)))
                        .toCompletableFuture())
                .toList();

        later.close();

        assertThat(sends).allSatisfy(send -> assertThat(send).isDone());
        long delivered = sends.stream()
                .filter(send -> send.join() == DeliveryResult.DELIVERED)
                .count();
        assertThat(committed((int) delivered + 1)).hasSizeGreaterThanOrEqualTo((int) delivered + 1);
    }

    @Test
    void keepsTheOrderOfManyMessagesOfAKeyInTransactions() {
        topic = topics.create(2, Map.of("max.message.bytes", "20000"));
        deliver(former, message(), first);
        PipelinedKeys keys = PipelinedKeys.send(
                former,
                first,
                3,
                3_000,
                number -> PipelinedKeys.ofBytes(topic, number == 700 ? 30_000 : 100)
                        .apply(number));
        for (int i = 0; i < 5; i++) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            proxy.resetAll();
        }

        keys.assertAllDeliveredBut(number -> number == 700)
                .assertOrderIn(topics.committed().messages(topic, keys.count() - 3));
    }

    /** Then the later one is done, and the former goes on with what it had not settled. */
    @Test
    void keepsTheOrderOfKeysWhoseOwnerIsFencedWithManyOfThemInFlight() {
        deliver(former, message(), first);
        PipelinedKeys before = PipelinedKeys.send(former, first, 3, 5_000, PipelinedKeys.ofBytes(topic, 100));
        assertThat(topics.committed().messages(topic, 500)).hasSizeGreaterThanOrEqualTo(500);
        before.assertNotDone();

        PipelinedKeys after = before.alsoBy(later, second);
        deliver(later, message(), second);
        first.isCertain = false;
        before.assertNotDone();
        after.assertAllDelivered();
        first.isCertain = true;

        before.assertAllDelivered();
        assertThat(before.failures()).isNotEmpty();
        List<OutboxMessage> committed = topics.committed().messages(topic, before.count() + 2);
        before.assertOrderIn(committed);
        after.assertOrderIn(committed);
    }

    private OutboxMessage message() {
        return OutboxMessage.builder(topic)
                .key(UUID.randomUUID().toString())
                .type("com.example.OrderPlaced")
                .json("{}")
                .build();
    }

    private OutboxMessage large(int bytes) {
        return OutboxMessage.builder(topic)
                .type("com.example.OrderPlaced")
                .payload(new byte[bytes])
                .build();
    }

    private static DeliveryResult send(KafkaDestination destination, OutboxMessage message, LaneTenure tenure) {
        CompletableFuture<DeliveryResult> result =
                destination.send(message, SendContext.of(new KeyRun(tenure))).toCompletableFuture();
        assertThat(result).succeedsWithin(PATIENCE);
        return result.join();
    }

    /** As a relay does: an outage, such as a coordinator that is not there yet, ends by itself. */
    private static void deliver(KafkaDestination destination, OutboxMessage message, LaneTenure tenure) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        DeliveryResult result = send(destination, message, tenure);
        while (result instanceof DeliveryResult.Outage && System.nanoTime() < deadline) {
            result = send(destination, message, tenure);
        }
        assertThat(result).isEqualTo(DeliveryResult.DELIVERED);
    }

    private List<MessageId> committed(int count) {
        return topics.committed().messages(topic, count).stream()
                .map(OutboxMessage::id)
                .toList();
    }

    /** Lane 3, believed in for as long as the test wants. */
    private static final class Tenure implements LaneTenure {

        private final long epoch;
        private volatile boolean isCertain = true;

        Tenure(long epoch) {
            this.epoch = epoch;
        }

        @Override
        public int lane() {
            return 3;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public boolean isCertain() {
            return isCertain;
        }
    }
}
