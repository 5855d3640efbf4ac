package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outages of minutes with every option at its default, under a virtual clock. */
class LongOutageTest {

    private static final int MESSAGES = 20;
    private static final Duration OUTAGE = Duration.ofMinutes(2);
    private static final String POISON = "poison";
    /** Ten attempts take two minutes, and each looks like an outage at first. */
    private static final Duration GIVE_UP = Duration.ofMinutes(5);

    private final SteppedRelays relays = new SteppedRelays(16);
    private final List<String> arrived = new ArrayList<>();
    private DeliveryResult answer = DeliveryResult.DELIVERED;

    static Stream<DeliveryResult> outages() {
        return Stream.of(DeliveryResult.outage("refused"), DeliveryResult.retry("503"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void allMessagesSurvive(DeliveryResult outage) {
        RelayCore relay = builder().buildCore(new RelayListener() {});
        enqueue("before");
        relays.run(relay, Duration.ofSeconds(5));
        answer = outage;
        IntStream.range(0, MESSAGES).forEach(i -> enqueue("key-" + i));
        relays.run(relay, OUTAGE);
        assertThat(arrived).containsExactly("before");

        answer = DeliveryResult.DELIVERED;
        // Those that stepped back wait at most so long.
        relays.run(relay, Duration.ofMinutes(3));

        assertThat(arrived).hasSize(1 + MESSAGES);
        assertThat(relays.store.stats().dead()).isZero();
    }

    /** Hundreds are delivered before it is tried again, and each time it looks like an outage. */
    @Test
    void aMessageThatNeverGetsThroughAtABusyDestinationIsGivenUp() {
        // So that ten deliveries are many.
        RelayCore relay = builder().maxInFlight(8).buildCore(new RelayListener() {});
        enqueue(POISON);
        int others = 0;
        while (relays.store.stats().dead() == 0) {
            assertThat(relays.clock.nanoTime()).as("never given up").isLessThan(GIVE_UP.toNanos());
            IntStream.range(0, 10).forEach(i -> enqueue("key-" + i));
            others += 10;
            relays.step(relay);
        }
        relays.run(relay, Duration.ofSeconds(10));

        assertThat(arrived).hasSize(others);
        assertThat(relays.store.stats().dead()).isEqualTo(1);
    }

    private RelayBuilder builder() {
        return relays.builder(new CannotTell());
    }

    private void enqueue(String key) {
        relays.enqueue("bills", key);
    }

    /** Has no health check, as code of the user's own. */
    private final class CannotTell implements Destination {

        @Override
        public String name() {
            return "billing";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            if (message.key().orElseThrow().equals(POISON)) {
                return CompletableFuture.completedFuture(DeliveryResult.outage("refused"));
            }
            if (answer == DeliveryResult.DELIVERED) {
                arrived.add(message.key().orElseThrow());
            }
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
