package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Under global order nothing passes a message that is in flight, whatever is dropped from memory meanwhile. */
class GlobalOrderTest {

    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(9);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final SimulatedBroker broker = new SimulatedBroker(clock, DELIVERY_TIMEOUT);
    private final RelayCore relay = new RelayBuilder(
                    store, new ByTopic(broker.connect("first"), broker.connect("second")))
            .ordering(Ordering.GLOBAL)
            .lease(DELIVERY_TIMEOUT.multipliedBy(3))
            .deliveryTimeout(DELIVERY_TIMEOUT)
            .backoff(Backoff.constant(Duration.ofMillis(100)))
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});

    @Test
    void nothingPassesAMessageInFlightWhenAnOperatorRetriesADeadLetter() {
        commit("first: rejected", "first: in flight", "first: next");
        step();
        broker.end(0, DeliveryResult.reject("bad"), false);
        step();
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 1, "operator");

        deliverAllButTheOldest();
        broker.end(0, DeliveryResult.retry("later"), false);
        deliverAll();

        assertThat(arrived())
                .containsSubsequence("first: in flight", "first: next")
                .hasSize(3);
    }

    @Test
    void nothingPassesAMessageInFlightToOneDestinationWhenOneToAnotherIsHeld() {
        commit("first: held", "second: in flight", "second: next");
        step();
        broker.end(0, DeliveryResult.retry("later"), false);

        deliverAllButTheOldest();
        broker.end(0, DeliveryResult.retry("later"), false);
        deliverAll();

        assertThat(arrived())
                .containsSubsequence("second: in flight", "second: next")
                .hasSize(3);
    }

    private void commit(String... texts) {
        InMemoryTransaction transaction = store.begin();
        for (String text : texts) {
            String topic = text.substring(0, text.indexOf(':'));
            transaction.enqueue(OutboxMessage.builder(topic).key("k").type(text).build());
        }
        transaction.commit();
    }

    private List<String> arrived() {
        return broker.arrived().stream().map(OutboxMessage::type).toList();
    }

    private void step() {
        relay.keeper().step();
        relay.workers().get(0).step();
    }

    /** Runs long enough that held messages fall due and operators' requests are seen. */
    private void deliverAllButTheOldest() {
        run(Duration.ofSeconds(4), 1);
    }

    private void deliverAll() {
        run(Duration.ofSeconds(4), 0);
    }

    private void run(Duration time, int spared) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(50)) {
            step();
            while (broker.outstanding() > spared) {
                broker.end(spared, DeliveryResult.DELIVERED, true);
            }
            clock.advance(Duration.ofMillis(50));
        }
    }

    private record ByTopic(Destination first, Destination second) implements DestinationRouter {

        @Override
        public Destination route(OutboxMessage message) {
            return message.topic().equals("first") ? first : second;
        }

        @Override
        public boolean isDecidedByTopic() {
            return true;
        }

        @Override
        public Collection<Destination> destinations() {
            return List.of(first, second);
        }
    }
}
