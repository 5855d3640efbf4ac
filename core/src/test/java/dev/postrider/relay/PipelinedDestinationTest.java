package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One worker and a destination that takes many messages of a key at once, and ends them at once or later. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelinedDestinationTest {

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final Pipeline destination = new Pipeline();
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(destination))
            .workers(1)
            .deliveryTimeout(Duration.ofSeconds(4))
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});

    /** Otherwise the worker would send for ever, and neither renew its leases nor serve anybody else. */
    @Test
    void stepsBackWhereEverythingIsAbandonedAtOnce() {
        destination.answer = message -> DeliveryResult.abandoned("the connection is given up");
        enqueue("1", "2", "3");

        run(Duration.ofSeconds(1));

        assertThat(destination.sent).hasSizeLessThan(100).containsOnly("1");
        assertThat(store.stats().held()).isEqualTo(3);
        destination.answer = message -> DeliveryResult.DELIVERED;
        destination.sent.clear();
        run(Duration.ofMinutes(1));
        assertThat(destination.sent).containsExactly("1", "2", "3");
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void recordsARejectionThatIsKnownBeforeTheNextMessageBegins() {
        List<Long> deadBefore = new ArrayList<>();
        destination.answer = message -> {
            deadBefore.add(store.stats().dead());
            return message.type().equals("2") ? DeliveryResult.reject("bad") : DeliveryResult.DELIVERED;
        };
        enqueue("1", "2", "3");

        run(Duration.ofSeconds(1));

        assertThat(destination.sent).containsExactly("1", "2", "3");
        assertThat(deadBefore).containsExactly(0L, 0L, 1L);
    }

    /** Those before it are still on their way when the second one is rejected. */
    @Test
    void goesOnBehindARejectionWhileEarlierMessagesAreOnTheirWay() {
        CompletableFuture<DeliveryResult> first = new CompletableFuture<>();
        destination.unended = first;
        destination.answer =
                message -> message.type().equals("2") ? DeliveryResult.reject("bad") : DeliveryResult.DELIVERED;
        enqueue("1", "2", "3", "4");

        run(Duration.ofSeconds(1));

        assertThat(store.stats().dead()).isOne();
        assertThat(destination.sent).containsExactly("1", "2", "3", "4");
        first.complete(DeliveryResult.DELIVERED);
        run(Duration.ofSeconds(1));
        assertThat(store.stats().undelivered()).isZero();
    }

    private void enqueue(String... types) {
        InMemoryTransaction transaction = store.begin();
        for (String type : types) {
            transaction.enqueue(OutboxMessage.builder("t").key("k").type(type).build());
        }
        transaction.commit();
    }

    private void run(Duration time) {
        long end = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() - end < 0) {
            relay.keeper().step();
            relay.workers().get(0).step();
            clock.advance(Duration.ofMillis(50));
        }
    }

    private static final class Pipeline implements Destination {

        private final List<String> sent = new ArrayList<>();
        private Function<OutboxMessage, DeliveryResult> answer = message -> DeliveryResult.DELIVERED;

        /** The end of the first message; null to end it like the others. */
        private CompletableFuture<DeliveryResult> unended;

        @Override
        public String name() {
            return "pipeline";
        }

        @Override
        public KeyOrder keyOrder() {
            return KeyOrder.PIPELINED;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(4);
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message, KeyRun run) {
            sent.add(message.type());
            if (unended != null) {
                CompletableFuture<DeliveryResult> later = unended;
                unended = null;
                return later;
            }
            return CompletableFuture.completedFuture(answer.apply(message));
        }
    }
}
