package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user of a relay sees, on an in-memory store with real threads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final Scripted destination = new Scripted("broker");
    private final List<Relay> relays = new ArrayList<>();

    @AfterEach
    void closeRelays() {
        relays.forEach(Relay::close);
    }

    @Test
    void deliversWhatWasCommittedAndNothingElse() {
        start(relay());
        outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message("a", "1"), message("b", "1")));
        InMemoryTransaction rolledBack = store.begin();
        rolledBack.enqueue(message("a", "never"));
        rolledBack.rollback();
        outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message("a", "2")));

        await(() -> destination.arrived("a").equals(List.of("1", "2"))
                && destination.arrived("b").equals(List.of("1")));
        await(() -> outbox.stats().undelivered() == 0);
    }

    @Test
    void retriesAFailingMessageAndHoldsBackItsKeyOnly() {
        destination.answer("a", "1", DeliveryResult.retry("not now"), DeliveryResult.retry("not now"));
        enqueue(message("a", "1"), message("a", "2"), message("b", "1"));
        start(relay().backoff(Backoff.constant(Duration.ofMillis(20))));

        await(() -> destination.arrived("a").equals(List.of("1", "2"))
                && destination.arrived("b").equals(List.of("1")));
        await(() -> outbox.stats().held() == 0);
        assertThat(outbox.stats().dead()).isZero();
    }

    @Test
    void givesUpAfterTheLastAttemptAndLetsTheKeyMoveOn() {
        destination.answerAlways("a", "1", DeliveryResult.retry("never"));
        enqueue(message("a", "1"), message("a", "2"));
        start(relay().maxAttempts(3).backoff(Backoff.constant(Duration.ofMillis(5))));

        await(() -> destination.arrived("a").equals(List.of("2")));
        DeadLetter letter = onlyDeadLetter();
        assertThat(letter.reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
        assertThat(letter.attempts()).isEqualTo(3);
        assertThat(letter.error()).isEqualTo("never");
        assertThat(destination.attempts("a", "1")).isEqualTo(3);
    }

    @Test
    void rejectedMessageBecomesADeadLetterAtOnce() {
        destination.answerAlways("a", "1", DeliveryResult.reject("too large"));
        enqueue(message("a", "1"), message("a", "2"));
        start(relay());

        await(() -> destination.arrived("a").equals(List.of("2")));
        assertThat(onlyDeadLetter().reason()).isEqualTo(DeadReason.REJECTED);
        assertThat(destination.attempts("a", "1")).isOne();
    }

    @Test
    void blocksTheKeyUntilAnOperatorUnblocksIt() {
        destination.answer("a", "1", DeliveryResult.reject("bad"));
        enqueue(message("a", "1"), message("a", "2"), message("b", "1"));
        start(relay().onExhausted(OnExhausted.BLOCK_KEY).housekeepingInterval(Duration.ofMillis(20)));
        await(() -> destination.arrived("b").size() == 1 && outbox.stats().held() == 2);
        assertThat(destination.arrived("a")).isEmpty();

        store.unblock(Optional.of("a"), "me");

        await(() -> destination.arrived("a").equals(List.of("1", "2")));
    }

    @Test
    void globalOrderStopsEverythingBehindAFailingMessage() {
        InMemoryOutboxStore oneLane = new InMemoryOutboxStore(1, Clock.systemUTC());
        destination.answer("a", "1", DeliveryResult.retry("not now"), DeliveryResult.retry("not now"));
        InMemoryTransaction transaction = oneLane.begin();
        transaction.enqueue(message("a", "1"), message("b", "2"), message("c", "3"));
        transaction.commit();
        start(Relay.builder(oneLane, destination)
                .ordering(Ordering.GLOBAL)
                .backoff(Backoff.constant(Duration.ofMillis(20))));

        await(() -> destination.arrivals().equals(List.of("a1", "b2", "c3")));
    }

    @Test
    void globalOrderNeedsOneLane() {
        assertThatThrownBy(() -> relay().ordering(Ordering.GLOBAL).build())
                .hasMessageContaining("one lane")
                .hasMessageContaining("memory has 4");
    }

    @Test
    void anOutageCountsNoAttemptAndLosesNothing() {
        destination.isDown = true;
        start(relay().maxAttempts(1).outageBackoff(Backoff.constant(Duration.ofMillis(10))));
        enqueue(message("a", "1"), message("a", "2"), message("b", "1"));
        await(() -> destination.outages.get() >= 1);
        enqueue(message("a", "3"));

        destination.isDown = false;

        await(() -> destination.arrived("a").equals(List.of("1", "2", "3"))
                && destination.arrived("b").size() == 1);
        assertThat(outbox.stats().dead()).isZero();
    }

    @Test
    void aMessageThatDropsTheConnectionEndsAsADeadLetterAndTheRestFlows() {
        destination.answerAlways("poison", "1", DeliveryResult.outage("connection reset"));
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            messages.add(message("k" + i, "1"));
        }
        messages.add(25, message("poison", "1"));
        enqueue(messages.toArray(OutboxMessage[]::new));
        start(relay().maxAttempts(2)
                .backoff(Backoff.constant(Duration.ofMillis(5)))
                .outageBackoff(Backoff.constant(Duration.ofMillis(5))));

        await(() -> outbox.stats().dead() == 1 && outbox.stats().undelivered() == 0);
        assertThat(onlyDeadLetter().message().key()).contains("poison");
        assertThat(destination.arrivals()).hasSize(50);
    }

    @Test
    void pausedDestinationWaitsWhileTheOtherFlows() {
        Scripted other = new Scripted("other");
        Map<String, Destination> byTopic = Map.of("orders", destination, "mails", other);
        start(Relay.builder(store, new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return byTopic.get(message.topic());
            }

            @Override
            public Collection<Destination> destinations() {
                return byTopic.values();
            }
        }));
        Relay relay = relays.get(0);
        relay.pause("broker");
        await(() -> relay.destinations().get("broker") == DestinationState.PAUSED);
        enqueue(message("a", "x"));
        enqueue(OutboxMessage.builder("mails").key("a").type("t").json("1").build());
        await(() -> other.arrived("a").equals(List.of("1")));
        assertThat(destination.arrivals()).isEmpty();

        relay.resume("broker");

        await(() -> store.stats().undelivered() == 0 && !destination.arrivals().isEmpty());
        assertThatThrownBy(() -> relay.pause("nobody"))
                .hasMessageContaining("[")
                .hasMessageContaining("broker");
    }

    @Test
    void aRouterThatFailsGivesUpTheMessageAndGoesOn() {
        start(Relay.builder(store, new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                if (message.key().equals(Optional.of("a"))) {
                    throw new IllegalArgumentException("no idea");
                }
                return destination;
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(destination);
            }
        }));
        enqueue(message("a", "1"), message("b", "1"));

        await(() -> destination.arrived("b").size() == 1 && outbox.stats().dead() == 1);
        assertThat(onlyDeadLetter().error()).contains("The router failed").contains("no idea");
    }

    @Test
    void aFailingListenerStopsNothing() {
        start(relay().listener(new RelayListener() {
            @Override
            public void delivered(Attempt attempt, Duration delay, Duration took) {
                throw new IllegalStateException("listener");
            }
        }));
        enqueue(message("a", "1"), message("a", "2"));

        await(() -> destination.arrived("a").equals(List.of("1", "2"))
                && outbox.stats().undelivered() == 0);
    }

    @Test
    void keepsDeliveredMessagesInTheAuditTrailIfWanted() {
        InMemoryOutboxStore keeping = new InMemoryOutboxStore(2, Clock.systemUTC(), true);
        InMemoryTransaction transaction = keeping.begin();
        transaction.enqueue(message("a", "1"));
        transaction.commit();

        DrainReport report = Relay.withDefaults(keeping, destination).drainOnce();

        assertThat(report).isEqualTo(new DrainReport(1, 0, 0, true));
        assertThat(keeping.kept()).hasSize(1);
        assertThat(keeping.stats().undelivered()).isZero();
    }

    @Test
    void drainOnceDeliversWhatIsThereAndGivesTheLanesBack() {
        enqueue(message("a", "1"), message("b", "1"));
        destination.answerAlways("b", "1", DeliveryResult.reject("bad"));

        DrainReport report = relay().build().drainOnce();

        assertThat(report).isEqualTo(new DrainReport(1, 1, 1, true));
        assertThat(store.leases().lanes()).noneMatch(lane -> lane.isOwned());
    }

    @Test
    void drainOnceStopsAtAnOutageAndSaysSo() {
        destination.isDown = true;
        enqueue(message("a", "1"));

        assertThat(relay().build().drainOnce().isComplete()).isFalse();
        assertThat(outbox.stats().undelivered()).isOne();
    }

    @Test
    void releasesItsLanesAtOnceWhenClosed() {
        start(relay());
        await(() -> relays.get(0).ownedLanes().size() == 4);
        assertThat(relays.get(0).isRunning()).isTrue();

        relays.get(0).close();

        assertThat(store.leases().lanes()).noneMatch(lane -> lane.isOwned());
        assertThat(relays.get(0).isRunning()).isFalse();
        assertThatThrownBy(() -> relays.get(0).start()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void twoRelaysShareTheLanesFairly() {
        start(relay());
        await(() -> relays.get(0).ownedLanes().size() == 4);

        start(relay());

        await(() -> relays.stream().allMatch(relay -> relay.ownedLanes().size() == 2));
    }

    @Test
    void runsOnTheExecutorItIsGiven() {
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        start(relay().executor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "mine");
            thread.setDaemon(true);
            threads.add(thread.getName());
            return thread;
        })));
        enqueue(message("a", "1"));

        await(() -> destination.arrived("a").size() == 1);
        assertThat(threads).hasSize(4);
    }

    @Test
    void doesNotStartHalfwayWhenTheExecutorRefuses() {
        AtomicInteger room = new AtomicInteger(1);
        Relay relay = relay().executor(loop -> {
                    if (room.getAndDecrement() <= 0) {
                        throw new RejectedExecutionException("full");
                    }
                    Thread thread = new Thread(loop, "mine");
                    thread.setDaemon(true);
                    thread.start();
                })
                .build();

        assertThatThrownBy(relay::start).hasMessage("full");
        relay.close();
        assertThat(relay.isRunning()).isFalse();
        assertThat(relay.ownedLanes()).isEmpty();
    }

    @Test
    void refusesADestinationThatMayTakeLongerThanTheLeaseAllows() {
        destination.deliveryTimeout = Duration.ofSeconds(30);

        assertThatThrownBy(() -> relay().build())
                .hasMessageContaining("broker")
                .hasMessageContaining("30 s")
                .hasMessageContaining("deliveryTimeout");
    }

    @Test
    void deliversDelayedMessagesWhenTheyAreDue() {
        start(relay().housekeepingInterval(Duration.ofMillis(10)));
        enqueue(
                OutboxMessage.builder("orders")
                        .key("a")
                        .type("t")
                        .json("\"later\"")
                        .deliverAfter(Duration.ofMillis(150))
                        .build(),
                message("a", "now"));

        await(() -> destination.arrived("a").equals(List.of("now", "\"later\"")));
    }

    private RelayBuilder relay() {
        return Relay.builder(store, destination);
    }

    private void start(RelayBuilder builder) {
        Relay relay = builder.build();
        relays.add(relay);
        relay.start();
    }

    private void enqueue(OutboxMessage... messages) {
        outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(messages));
    }

    private DeadLetter onlyDeadLetter() {
        List<DeadLetter> letters = outbox.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private static OutboxMessage message(String key, String content) {
        return OutboxMessage.builder("orders")
                .key(key)
                .type("t")
                .checkJson(false)
                .json(content)
                .build();
    }

    private static void await(BooleanSupplier condition) {
        long giveUpAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(giveUpAt);
            try {
                Thread.sleep(2);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    /** Answers as told, message by message; otherwise takes everything. */
    private static final class Scripted implements Destination {

        private final String name;
        private final Map<String, Function<Integer, DeliveryResult>> answers = new ConcurrentHashMap<>();
        private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
        private final List<OutboxMessage> arrived = Collections.synchronizedList(new ArrayList<>());
        private final Map<MessageId, Boolean> seen = new ConcurrentHashMap<>();
        private Duration deliveryTimeout = Duration.ofSeconds(1);
        private volatile boolean isDown;
        private final AtomicInteger outages = new AtomicInteger();

        Scripted(String name) {
            this.name = name;
        }

        void answer(String key, String content, DeliveryResult... results) {
            answers.put(
                    key + content,
                    attempt -> attempt <= results.length ? results[attempt - 1] : DeliveryResult.DELIVERED);
        }

        void answerAlways(String key, String content, DeliveryResult result) {
            answers.put(key + content, attempt -> result);
        }

        List<String> arrived(String key) {
            return List.copyOf(arrived).stream()
                    .filter(message -> message.key().equals(Optional.of(key)))
                    .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
                    .toList();
        }

        List<String> arrivals() {
            return List.copyOf(arrived).stream().map(Scripted::nameOf).toList();
        }

        int attempts(String key, String content) {
            return attempts.getOrDefault(key + content, 0);
        }

        private static String nameOf(OutboxMessage message) {
            return message.key().orElse("") + new String(message.payload(), StandardCharsets.UTF_8);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (isDown) {
                outages.incrementAndGet();
                return CompletableFuture.completedFuture(DeliveryResult.outage("down"));
            }
            int attempt = attempts.merge(nameOf(message), 1, Integer::sum);
            DeliveryResult result = answers.getOrDefault(nameOf(message), n -> DeliveryResult.DELIVERED)
                    .apply(attempt);
            if (result == DeliveryResult.DELIVERED && seen.put(message.id(), true) == null) {
                arrived.add(message);
            }
            return CompletableFuture.completedFuture(result);
        }

        @Override
        public Duration deliveryTimeout() {
            return deliveryTimeout;
        }

        @Override
        public Health healthCheck() {
            return isDown ? Health.down("unreachable") : Health.UP;
        }
    }
}
