package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay lists as unavailable is what its own messages wait for. Every option at its default, under a virtual clock. */
class PlaceHandOverTest implements Destination {

    private final SteppedRelays relays = new SteppedRelays(4);
    private final List<String> arrived = new ArrayList<>();
    private Unavailable place = DeliveryResult.unavailable("topic orders", "it does not exist");
    private boolean isMissing = true;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceLeavesARelayWithTheLanesWhoseMessagesWaitForIt(boolean concernsTopic) {
        place = place.concerningTopic(concernsTopic);
        RelayCore first = relay();
        RelayCore second = relay();
        relays.enqueue("orders", "a");
        relays.run(first, Duration.ofSeconds(20));
        assertThat(unavailable(first)).containsExactly("topic orders");

        first.leaveAll();
        first.loopsWithoutKeeper().forEach(Loop::step);
        for (int i = 0; i < 2; i++) {
            first.loopsWithoutKeeper().forEach(Loop::step);
            relays.run(second, Duration.ofMinutes(1));
        }

        assertThat(first.ownsNothing()).isTrue();
        assertThat(unavailable(first)).isEmpty();
        assertThat(unavailable(second)).containsExactly("topic orders");
        isMissing = false;
        relays.run(second, Duration.ofSeconds(20));
        assertThat(arrived).containsExactly("a");
        assertThat(unavailable(second)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceStaysListedWhileItsDestinationIsPausedAndItsMessagesFlowAfterwards(boolean concernsTopic) {
        place = place.concerningTopic(concernsTopic);
        RelayCore relay = relay();
        relays.enqueue("orders", "a");
        relays.run(relay, Duration.ofSeconds(20));
        relays.store.pauses().pause(name(), "operator");
        relays.run(relay, Duration.ofMinutes(5));
        assertThat(unavailable(relay)).containsExactly("topic orders");

        relays.store.pauses().resume(name(), "operator");
        relays.run(relay, Duration.ofSeconds(20));
        assertThat(unavailable(relay)).containsExactly("topic orders");
        isMissing = false;
        relays.run(relay, Duration.ofSeconds(20));

        assertThat(arrived).containsExactly("a");
        assertThat(unavailable(relay)).isEmpty();
    }

    private RelayCore relay() {
        return relays.builder(this).buildCore(new RelayListener() {});
    }

    private static List<String> unavailable(RelayCore relay) {
        return relay.gates().stream()
                .flatMap(gate -> gate.unavailablePlaces().stream())
                .map(UnavailablePlace::place)
                .toList();
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
