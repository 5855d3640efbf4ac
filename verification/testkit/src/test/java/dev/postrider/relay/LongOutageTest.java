package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Minutes of outage with every option at its default, under a virtual clock. */
class LongOutageTest {

    private static final int MESSAGES = 20;
    private static final Duration OUTAGE = Duration.ofMinutes(2);

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(16, clock);
    private final List<String> arrived = new ArrayList<>();
    private DeliveryResult answer = DeliveryResult.DELIVERED;

    static Stream<DeliveryResult> outages() {
        return Stream.of(DeliveryResult.outage("refused"), DeliveryResult.retry("503"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void allMessagesSurvive(DeliveryResult outage) {
        RelayCore relay = new RelayBuilder(store, DestinationRouter.to(new CannotTell()))
                .nanoTime(clock::nanoTime)
                .buildCore(new RelayListener() {});
        enqueue("before");
        run(relay, Duration.ofSeconds(5));
        answer = outage;
        IntStream.range(0, MESSAGES).forEach(i -> enqueue("key-" + i));
        run(relay, OUTAGE);
        assertThat(arrived).containsExactly("before");

        answer = DeliveryResult.DELIVERED;
        // Those that stepped back wait at most so long.
        run(relay, Duration.ofMinutes(3));

        assertThat(arrived).hasSize(1 + MESSAGES);
        assertThat(store.stats().dead()).isZero();
    }

    private void run(RelayCore relay, Duration duration) {
        long end = clock.nanoTime() + duration.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.keeper().step();
            relay.loopsWithoutKeeper().forEach(Loop::step);
            clock.advance(Duration.ofMillis(20));
        }
    }

    private void enqueue(String key) {
        Outbox.withDefaults(store)
                .inTransaction(
                        store.dataSource(),
                        tx -> tx.enqueue(OutboxMessage.builder("bills")
                                .key(key)
                                .type("t")
                                .build()));
    }

    /** Has no health check, as code of the user's own. */
    private final class CannotTell implements Destination {

        @Override
        public String name() {
            return "billing";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
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
