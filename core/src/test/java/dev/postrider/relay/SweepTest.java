package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the sweep takes for missed, and what not, at the shipped defaults. */
class SweepTest {

    private static final Duration LONG = Duration.ofMinutes(3);

    private final TestClock clock = new TestClock();
    private final RecordingDestination open = new RecordingDestination("open");
    private final RecordingDestination closed = new RecordingDestination("closed");
    private int missed;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsAMissedRowWhileAnotherDestinationIsPaused(boolean isDecidedByTopic) {
        InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
        hide(store, 4);
        store.pauses().pause("closed", "operator");
        RelayCore relay = relay(store, isDecidedByTopic);
        commit(store, "closed", 3);
        commit(store, "open", 1);
        commit(store, "closed", 3);
        commit(store, "open", 1);
        pass(relay, LONG);

        assertThat(open.delivered()).hasSize(2);
        assertThat(missed).isOne();

        store.pauses().resume("closed", "operator");
        pass(relay, LONG);
        assertThat(closed.delivered()).hasSize(6);
        assertThat(missed).isOne();
    }

    @Test
    void readsEveryLaneFromItsHeadWhenOneHasMissedARow() {
        InMemoryOutboxStore store = new InMemoryOutboxStore(8, clock);
        hide(store, IntStream.rangeClosed(1, 80).toArray());
        RelayCore relay = relay(store, true);
        commit(store, "open", 80);
        while (missed == 0) {
            pass(relay, Duration.ofMillis(200));
        }
        int ofOneLane = missed;
        pass(relay, Duration.ofSeconds(1));

        assertThat(ofOneLane).isLessThan(80);
        assertThat(open.delivered()).hasSize(80);
        assertThat(missed).isEqualTo(ofOneLane);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesNothingThatWaitsForAnUnreachableDestinationForMissed(boolean isDecidedByTopic) {
        InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
        closed.answer(message -> DeliveryResult.outage("gone"));
        closed.setHealth(Health.down("gone"));
        RelayCore relay = relay(store, isDecidedByTopic);
        // More than are remembered one by one.
        commit(store, "closed", 11_000);
        commit(store, "open", 10);
        pass(relay, LONG);

        assertThat(open.delivered()).hasSize(10);
        assertThat(missed).isZero();

        closed.answer(message -> DeliveryResult.DELIVERED);
        closed.setHealth(Health.UP);
        pass(relay, LONG);
        assertThat(closed.delivered().size()).isEqualTo(11_000);
        assertThat(missed).isZero();
    }

    /** By a saved position that claims rows which do not exist yet. */
    private static void hide(InMemoryOutboxStore store, int... seqs) {
        String position =
                String.join(" ", IntStream.of(seqs).mapToObj(String::valueOf).toList());
        for (int lane = 0; lane < store.laneCount(); lane++) {
            store.leases()
                    .take(lane, "liar", Duration.ofMinutes(1))
                    .ifPresent(taken ->
                            store.leases().release(List.of(new Renewal(taken.lease(), Optional.of(position)))));
        }
    }

    private RelayCore relay(InMemoryOutboxStore store, boolean isDecidedByTopic) {
        RelayCore relay = new RelayBuilder(store, new Router(isDecidedByTopic))
                .workers(1)
                .nanoTime(clock::nanoTime)
                .buildCore(new RelayListener() {
                    @Override
                    public void sweepFoundMissed(int lane, int rows) {
                        missed += rows;
                    }
                });
        for (int lane = 0; lane < store.laneCount(); lane++) {
            relay.keeper().step();
        }
        return relay;
    }

    private static void commit(InMemoryOutboxStore store, String topic, int count) {
        InMemoryTransaction transaction = store.begin();
        for (int i = 0; i < count; i++) {
            transaction.enqueue(
                    OutboxMessage.builder(topic).key(topic + i).type("x").build());
        }
        transaction.commit();
    }

    private void pass(RelayCore relay, Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.keeper().step();
            relay.prober().step();
            relay.workers().get(0).step();
            clock.advance(Duration.ofMillis(200));
        }
    }

    private final class Router implements DestinationRouter {

        private final boolean isDecidedByTopic;

        Router(boolean isDecidedByTopic) {
            this.isDecidedByTopic = isDecidedByTopic;
        }

        @Override
        public Destination route(OutboxMessage message) {
            return message.topic().equals("open") ? open : closed;
        }

        @Override
        public boolean isDecidedByTopic() {
            return isDecidedByTopic;
        }

        @Override
        public Collection<Destination> destinations() {
            return List.of(open, closed);
        }
    }
}
