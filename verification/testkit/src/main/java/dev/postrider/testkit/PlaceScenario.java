package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.UnavailablePlace;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.HeldReport.HeldHead;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A relay with every option at its default and a destination with one place that takes nothing until it is repaired: the messages for it
 * wait in order without attempts, others flow, and all arrive in the end. For tests of one thread.
 */
public final class PlaceScenario implements RelayListener {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final AtomicInteger tries = new AtomicInteger();
    private final List<MessageId> delivered = new CopyOnWriteArrayList<>();
    private final List<String> news = new CopyOnWriteArrayList<>();

    private PlaceScenario() {}

    /**
     * Runs it.
     *
     * @param closed a topic whose place takes nothing
     * @param open a topic whose place does
     * @param repair makes the closed place take messages
     */
    public static void run(Destination destination, String closed, String open, Runnable repair) {
        new PlaceScenario().play(destination, closed, open, repair);
    }

    private void play(Destination destination, String closed, String open, Runnable repair) {
        OutboxMessage first = message(closed, "key");
        OutboxMessage second = message(closed, "key");
        OutboxMessage behind = message(open, "key");
        OutboxMessage other = message(open, "other key");
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(first, second, behind, other));
        try (Relay relay = Relay.builder(store, destination).listener(this).build()) {
            relay.start();
            RelayUnderLoad.await("some tries, and the other key", () -> tries.get() >= 4 && !delivered.isEmpty());
            RelayUnderLoad.await("all others held", () -> store.stats().held() == 3);
            assertThat(delivered).containsExactly(other.id());
            assertThat(store.heldReport(10).heads())
                    .extracting(HeldHead::attempts)
                    .containsExactly(0);
            assertThat(store.heldReport(0).waiting())
                    .singleElement()
                    .satisfies(waiting -> assertThat(waiting.topic()).isEqualTo(closed));
            assertThat(relay.unavailablePlaces())
                    .extracting(UnavailablePlace::place)
                    .singleElement()
                    .asString()
                    .contains(closed);

            repair.run();

            RelayUnderLoad.await(
                    "an empty outbox",
                    () -> store.stats().undelivered() + store.stats().held() == 0);
            assertThat(relay.unavailablePlaces()).isEmpty();
        }
        assertThat(delivered).containsExactly(other.id(), first.id(), second.id(), behind.id());
        assertThat(store.stats().dead()).isZero();
        assertThat(news).hasSize(2);
    }

    private static OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic).key(key).type("t").build();
    }

    @Override
    public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        tries.incrementAndGet();
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        delivered.add(attempt.message().id());
    }

    @Override
    public void unavailable(String destination, String place, String reason) {
        news.add("unavailable " + place);
    }

    @Override
    public void available(String destination, String place) {
        news.add("available " + place);
    }
}
