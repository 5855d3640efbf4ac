package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Subscription;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Members come and go while handlers are at work. */
class KafkaRebalanceIT {

    private static final int KEYS = 12;
    private static final int PER_KEY = 25;

    private final Broker broker = Servers.kafka();
    private final KafkaReceiverFixture fixture = new KafkaReceiverFixture(broker.host() + ":" + broker.port());
    private final ExecutorService handlers = Executors.newFixedThreadPool(8);
    private final Queue<OutboxMessage> handled = new ConcurrentLinkedQueue<>();
    private final Set<String> busyKeys = ConcurrentHashMap.newKeySet();
    private final Queue<String> clashes = new ConcurrentLinkedQueue<>();
    private final Map<KafkaReceiver, AtomicInteger> unsettled = new ConcurrentHashMap<>();
    private final Random random = new Random(7);

    @AfterEach
    void endHandlers() {
        handlers.shutdownNow();
        fixture.close();
    }

    @Test
    void losesNothingAndKeepsTheOrderOfEachKeyWhilePartitionsMove() throws InterruptedException {
        Map<String, List<MessageId>> sent = sendAll();
        try (KafkaReceiver first = start()) {
            awaitHandled(KEYS);
            try (KafkaReceiver second = start()) {
                awaitHandled(4 * KEYS);
                drainAndClose(first);
                awaitHandled(8 * KEYS);
                try (KafkaReceiver third = start()) {
                    awaitHandled(KEYS * PER_KEY);
                    assertThat(third.termination().toCompletableFuture()).isNotDone();
                }
                assertThat(second.termination().toCompletableFuture()).isNotDone();
            }
        }
        assertThat(clashes).as("keys handled twice at the same time").isEmpty();
        assertThat(firstTimes()).isEqualTo(sent);
    }

    /** The second would get the message again while the first is at it. */
    @Test
    void letsNoPartitionGoBeforeItsHandlersHaveEnded() throws InterruptedException {
        List<MessageId> before = sendOneToEachPartition();
        try (KafkaReceiver first = patient();
                KafkaReceiver second = patient()) {
            Deliveries ofFirst = Deliveries.of(first);
            List<Delivery> running = List.of(ofFirst.next(), ofFirst.next());
            Deliveries ofSecond = Deliveries.of(second);

            fixture.topics().awaitJoined(fixture.group(), 2);
            assertThat(ofSecond.isQuietFor(Duration.ofSeconds(3)))
                    .as("nothing moves while handlers run")
                    .isTrue();
            running.forEach(Delivery::acknowledge);
            fixture.topics().awaitMembers(fixture.group(), 2);
            List<MessageId> after = sendOneToEachPartition();

            assertThat(running).extracting(each -> each.message().id()).hasSameElementsAs(before);
            assertThat(List.of(
                            ofFirst.next().message().id(),
                            ofSecond.next().message().id()))
                    .hasSameElementsAs(after);
        }
    }

    private List<MessageId> sendOneToEachPartition() {
        List<MessageId> sent = new ArrayList<>();
        for (String key : List.of("a", "b")) {
            OutboxMessage message =
                    OutboxMessage.builder(fixture.topic()).type("t").key(key).build();
            fixture.send(message);
            sent.add(message.id());
        }
        return sent;
    }

    private KafkaReceiver patient() {
        return member().rebalanceTimeout(Duration.ofMinutes(2)).build();
    }

    /** Members learn of a rebalance by the answers to their heartbeats. */
    private KafkaReceiverBuilder member() {
        return fixture.builder().property("heartbeat.interval.ms", 300);
    }

    private Map<String, List<MessageId>> sendAll() {
        Map<String, List<MessageId>> sent = new LinkedHashMap<>();
        for (int i = 0; i < KEYS * PER_KEY; i++) {
            OutboxMessage message = OutboxMessage.builder(fixture.topic())
                    .type("t")
                    .key("k" + i % KEYS)
                    .build();
            fixture.send(message);
            sent.computeIfAbsent("k" + i % KEYS, key -> new ArrayList<>()).add(message.id());
        }
        return sent;
    }

    private KafkaReceiver start() {
        KafkaReceiver receiver = member().prefetch(20).build();
        AtomicInteger inHand = new AtomicInteger();
        unsettled.put(receiver, inHand);
        receiver.start(Subscription.toAll("test"), delivery -> {
            inHand.incrementAndGet();
            handlers.execute(() -> {
                handle(delivery);
                inHand.decrementAndGet();
            });
        });
        return receiver;
    }

    private void handle(Delivery delivery) {
        String key = delivery.message().key().orElseThrow();
        if (!busyKeys.add(key)) {
            clashes.add(key);
        }
        try {
            Thread.sleep(random.nextInt(40));
            handled.add(delivery.message());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            busyKeys.remove(key);
        }
        delivery.acknowledge();
    }

    /** As a subscriber does: no new work, then what is left, then the end. */
    private void drainAndClose(KafkaReceiver receiver) throws InterruptedException {
        receiver.stop();
        await("what is left is settled", () -> unsettled.get(receiver).get() == 0);
        receiver.close();
    }

    private void awaitHandled(int count) throws InterruptedException {
        await(count + " handled", () -> different(handled) >= count);
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static long different(Collection<OutboxMessage> messages) {
        return messages.stream().map(OutboxMessage::id).distinct().count();
    }

    private Map<String, List<MessageId>> firstTimes() {
        Map<String, List<MessageId>> order = new LinkedHashMap<>();
        for (OutboxMessage message : handled) {
            List<MessageId> ofKey = order.computeIfAbsent(message.key().orElseThrow(), key -> new ArrayList<>());
            if (!ofKey.contains(message.id())) {
                ofKey.add(message.id());
            }
        }
        return order;
    }
}
