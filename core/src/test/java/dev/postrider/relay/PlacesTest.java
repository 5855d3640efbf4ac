package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic, exchange or stream that is missing, forbidden or full is an outage of that place alone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlacesTest implements RelayListener {

    private static final Duration BACKOFF = Duration.ofMillis(20);

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Broker broker = new Broker();
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final List<Relay> relays = new ArrayList<>();

    @AfterEach
    void close() {
        relays.forEach(Relay::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesWaitInOrderWithoutAttemptsAndFlowWhenThePlaceIsThere(boolean concernsTopic) {
        broker.concernsTopic = concernsTopic;
        broker.missing.add("orders");
        enqueue(message("orders", "a"), message("bills", "a"), message("orders", "a"), message("bills", "b"));
        Relay relay = start(Ordering.PER_KEY);

        await(() -> broker.arrived("b").equals(List.of("bills-3")));
        await(() -> broker.refused.get() > 20);
        enqueue(message("bills", "a"), message("bills", "c"));
        await(() -> broker.arrived("c").size() == 1 && store.stats().held() == 4);
        assertThat(broker.arrived("a")).isEmpty();
        assertThat(relay.unavailablePlaces())
                .singleElement()
                .satisfies(place -> assertThat(place.place()).isEqualTo("topic orders"));
        assertThat(relay.destinations()).containsEntry("broker", DestinationState.UP);
        assertThat(store.heldReport(0).waiting())
                .singleElement()
                .satisfies(waiting -> assertThat(waiting)
                        .extracting(Waiting::destination, Waiting::topic, Waiting::messages, Waiting::error)
                        .containsExactly("broker", "orders", 1L, "topic orders: it does not exist"));

        broker.missing.clear();

        await(() -> broker.arrived("a").equals(List.of("orders-0", "bills-1", "orders-2", "bills-4")));
        await(() -> store.stats().held() == 0 && store.stats().undelivered() == 0);
        assertThat(store.stats().dead()).isZero();
        assertThat(relay.unavailablePlaces()).isEmpty();
        assertThat(events).containsExactly("unavailable topic orders", "available topic orders");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void triesAMissingPlaceWithFewMessagesHoweverManyWait(boolean concernsTopic) {
        broker.concernsTopic = concernsTopic;
        broker.missing.add("orders");
        List<OutboxMessage> many = new ArrayList<>();
        IntStream.range(0, 5_000).forEach(i -> many.add(message("orders", "key-" + i)));
        enqueue(many.toArray(OutboxMessage[]::new));
        long began = System.nanoTime();
        start(Ordering.PER_KEY);

        await(() -> store.stats().held() == 5_000);
        int afterFirstLook = broker.refused.get();
        long start = System.nanoTime();
        long triesMeanwhile = (start - began) / BACKOFF.toNanos() + 1;
        enqueue(message("bills", "b"));
        await(() -> broker.arrived("b").size() == 1);
        await(() -> broker.refused.get() >= afterFirstLook + 20);
        int sends = broker.refused.get() - afterFirstLook;
        long backOffs = (System.nanoTime() - start) / BACKOFF.toNanos();
        assertThat(sends).as("one for each back-off").isLessThanOrEqualTo((int) backOffs + 1);
        assertThat(store.stats().held()).isEqualTo(5_000);
        // Those that may go elsewhere are tried once each; of the others those that were in flight.
        assertThat(afterFirstLook).isLessThanOrEqualTo((int) triesMeanwhile + (concernsTopic ? 3_000 : 5_000));

        broker.missing.clear();
        await(() -> store.stats().held() == 0 && store.stats().undelivered() == 0);
        assertThat(store.stats().dead()).isZero();
        assertThat(events).containsExactly("unavailable topic orders", "available topic orders");
    }

    @ParameterizedTest
    @EnumSource(value = Ordering.class, names = "PER_KEY", mode = EnumSource.Mode.EXCLUDE)
    void otherOrdersWaitTooAndLoseNothing(Ordering ordering) {
        InMemoryOutboxStore oneLane = new InMemoryOutboxStore(1, Clock.systemUTC());
        broker.missing.add("orders");
        Outbox.withDefaults(oneLane)
                .inTransaction(
                        oneLane.dataSource(),
                        tx -> tx.enqueue(message("bills", "a"), message("orders", "a"), message("bills", "b")));
        relays.add(builder(oneLane, ordering).build());
        relays.get(0).start();

        await(() -> broker.refused.get() > 5);
        assertThat(broker.arrived("b")).hasSize(ordering == Ordering.NONE ? 1 : 0);
        broker.missing.clear();

        await(() -> broker.all().size() == 3);
        await(() -> oneLane.stats().held() == 0 && oneLane.stats().undelivered() == 0);
        if (ordering == Ordering.GLOBAL) {
            assertThat(broker.all()).containsExactly("bills-0", "orders-1", "bills-2");
        }
    }

    @Test
    void aDrainEndsAndSaysThatItIsNotComplete() {
        broker.missing.add("orders");
        enqueue(message("orders", "a"), message("bills", "a"), message("bills", "b"));
        try (Relay relay = builder(store, Ordering.PER_KEY).build()) {
            assertThat(relay.drainOnce()).isEqualTo(new DrainReport(1, 0, 0, false));
            broker.missing.clear();
            await(() -> relay.drainOnce().isComplete());
        }
        assertThat(broker.arrived("a")).containsExactly("orders-0", "bills-1");
    }

    @Test
    void givesUpWhatIsOlderThanTheLimitIfThereIsOne() {
        broker.missing.add("orders");
        enqueue(message("orders", "a"), message("bills", "a"), message("orders", "b"));
        relays.add(builder(store, Ordering.PER_KEY)
                .unavailableLimit(Duration.ofSeconds(3))
                .build());
        relays.get(0).start();

        await(() -> store.stats().dead() == 2);
        await(() -> broker.arrived("a").equals(List.of("bills-1")));
        assertThat(broker.refused.get()).isGreaterThan(4);
    }

    @Test
    void anotherRelayTakesOverWhatWaits() {
        broker.missing.add("orders");
        enqueue(message("orders", "a"), message("bills", "a"));
        start(Ordering.PER_KEY);
        await(() -> store.stats().held() == 2);
        relays.get(0).close();
        broker.missing.clear();

        start(Ordering.PER_KEY);

        await(() -> broker.arrived("a").equals(List.of("orders-0", "bills-1")));
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        events.add("unavailable " + place);
    }

    @Override
    public void available(String destination, String place) {
        events.add("available " + place);
    }

    private Relay start(Ordering ordering) {
        Relay relay = builder(store, ordering).build();
        relays.add(relay);
        relay.start();
        return relay;
    }

    private RelayBuilder builder(InMemoryOutboxStore from, Ordering ordering) {
        return Relay.builder(from, broker)
                .ordering(ordering)
                .maxAttempts(2)
                .outageBackoff(Backoff.constant(BACKOFF))
                .listener(this);
    }

    private int next;

    private OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic).key(key).type(topic + "-" + next++).build();
    }

    private void enqueue(OutboxMessage... messages) {
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(messages));
    }

    private static void await(BooleanSupplier condition) {
        long giveUpAt = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(giveUpAt);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** Has topics that may be missing. */
    private static final class Broker implements Destination {

        private final Set<String> missing = ConcurrentHashMap.newKeySet();
        private final AtomicInteger refused = new AtomicInteger();
        private final List<OutboxMessage> taken = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean concernsTopic = true;

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (missing.contains(message.topic())) {
                refused.incrementAndGet();
                return CompletableFuture.completedFuture(
                        DeliveryResult.unavailable("topic " + message.topic(), "it does not exist")
                                .concerningTopic(concernsTopic));
            }
            taken.add(message);
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        List<String> arrived(String key) {
            return List.copyOf(taken).stream()
                    .filter(message -> message.key().orElseThrow().equals(key))
                    .map(OutboxMessage::type)
                    .toList();
        }

        List<String> all() {
            return List.copyOf(taken).stream().map(OutboxMessage::type).toList();
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
