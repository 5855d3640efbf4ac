package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay lists as unavailable is what its own messages wait for. Every option at its default, under a virtual clock. */
class PlaceHandOverTest implements Destination {

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, clock);
    private final List<String> arrived = new ArrayList<>();
    private Unavailable place = DeliveryResult.unavailable("topic orders", "it does not exist");
    private boolean isMissing = true;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceLeavesARelayWithTheLanesWhoseMessagesWaitForIt(boolean concernsTopic) {
        place = place.concerningTopic(concernsTopic);
        RelayCore first = relay();
        RelayCore second = relay();
        enqueue("a");
        run(Duration.ofSeconds(20), first);
        assertThat(unavailable(first)).containsExactly("topic orders");

        first.leaveAll();
        first.loopsWithoutKeeper().forEach(Loop::step);
        for (int i = 0; i < 2; i++) {
            first.loopsWithoutKeeper().forEach(Loop::step);
            run(Duration.ofMinutes(1), second);
        }

        assertThat(first.ownsNothing()).isTrue();
        assertThat(unavailable(first)).isEmpty();
        assertThat(unavailable(second)).containsExactly("topic orders");
        isMissing = false;
        run(Duration.ofSeconds(20), second);
        assertThat(arrived).containsExactly("a");
        assertThat(unavailable(second)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceStaysListedWhileItsDestinationIsPausedAndItsMessagesFlowAfterwards(boolean concernsTopic) {
        place = place.concerningTopic(concernsTopic);
        RelayCore relay = relay();
        enqueue("a");
        run(Duration.ofSeconds(20), relay);
        store.pauses().pause(name(), "operator");
        run(Duration.ofMinutes(5), relay);
        assertThat(unavailable(relay)).containsExactly("topic orders");

        store.pauses().resume(name(), "operator");
        run(Duration.ofSeconds(20), relay);
        assertThat(unavailable(relay)).containsExactly("topic orders");
        isMissing = false;
        run(Duration.ofSeconds(20), relay);

        assertThat(arrived).containsExactly("a");
        assertThat(unavailable(relay)).isEmpty();
    }

    private RelayCore relay() {
        return new RelayBuilder(store, DestinationRouter.to(this))
                .nanoTime(clock::nanoTime)
                .buildCore(new RelayListener() {});
    }

    private static List<String> unavailable(RelayCore relay) {
        return relay.gates().stream()
                .flatMap(gate -> gate.unavailablePlaces().stream())
                .map(UnavailablePlace::place)
                .toList();
    }

    private void run(Duration duration, RelayCore relay) {
        long end = clock.nanoTime() + duration.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.keeper().step();
            relay.loopsWithoutKeeper().forEach(Loop::step);
            clock.advance(Duration.ofMillis(20));
        }
    }

    private void enqueue(String key) {
        OutboxMessage message =
                OutboxMessage.builder("orders").key(key).type("t").build();
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(message));
    }

    @Override
    public String name() {
        return "broker";
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        if (!isMissing) {
            arrived.add(message.key().orElseThrow());
        }
        return CompletableFuture.completedFuture(isMissing ? place : DeliveryResult.DELIVERED);
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
    }
}
