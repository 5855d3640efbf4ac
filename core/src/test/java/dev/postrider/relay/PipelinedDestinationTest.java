package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the messages of a key that are in flight together, at a destination that keeps their order. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelinedDestinationTest {

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final Ordered ordered = new Ordered();
    private RelayCore relay = relay(builder -> builder);

    private RelayCore relay(UnaryOperator<RelayBuilder> options) {
        return options.apply(new RelayBuilder(store, DestinationRouter.to(ordered)).nanoTime(clock::nanoTime))
                .buildCore(new RelayListener() {});
    }

    @Test
    void sendsManyOfAKeyWithoutWaiting() {
        write(5);
        assertThat(ordered.sent()).isEqualTo("12345");

        for (int i = 4; i >= 0; i--) {
            ordered.end(i, DeliveryResult.DELIVERED);
        }
        step();
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void keepsToTheNumberThatMayBeInFlightOfAKey() {
        relay = relay(builder -> builder.maxInFlightPerKey(2));
        write(5);
        assertThat(ordered.sent()).isEqualTo("12");

        ordered.end(0, DeliveryResult.DELIVERED);
        step();
        assertThat(ordered.sent()).isEqualTo("123");
    }

    @Test
    void sendsOneByOneWhereARejectedMessageBlocksItsKey() {
        relay = relay(builder -> builder.onExhausted(OnExhausted.BLOCK_KEY));
        write(3);
        assertThat(ordered.sent()).isEqualTo("1");
    }

    @Test
    void sendsOneByOneWhereARejectedMessageMayBeTriedAgain() {
        relay = relay(builder -> builder.failureClassifier((message, failure) -> failure));
        write(3);
        assertThat(ordered.sent()).isEqualTo("1");
    }

    @Test
    void holdsTheFirstThatWasNotDeliveredWhenAllHaveEnded() {
        write(4);
        ordered.end(1, DeliveryResult.retry("not now"));
        ordered.end(3, DeliveryResult.abandoned("behind 2"));
        step();
        assertThat(store.stats().held()).isZero();
        ordered.end(0, DeliveryResult.DELIVERED);
        ordered.end(2, DeliveryResult.retry("not now either"));
        step();

        assertThat(store.stats().held()).isEqualTo(3);
        assertThat(store.heldReport(10).heads())
                .singleElement()
                .satisfies(head -> assertThat(head.error()).isEqualTo("not now"));
        clock.advance(Duration.ofSeconds(1));
        step();
        assertThat(ordered.sent()).as("tried alone").isEqualTo("12342");
        ordered.end(4, DeliveryResult.DELIVERED);
        step();
        assertThat(ordered.sent()).isEqualTo("1234234");
    }

    @Test
    void goesOnBehindARejectedOne() {
        write(3);
        ordered.end(1, DeliveryResult.reject("too large"));
        ordered.end(2, DeliveryResult.DELIVERED);
        ordered.end(0, DeliveryResult.DELIVERED);
        step();

        assertThat(store.stats().undelivered()).isZero();
        assertThat(store.deadLetters().count(DeadLetterFilter.all(), 10)).isOne();
    }

    @Test
    void sendsAgainWhatWasAbandonedOneAtFirst() {
        write(3);
        ordered.end(0, DeliveryResult.abandoned("replaced"));
        ordered.end(1, DeliveryResult.abandoned("replaced"));
        ordered.end(2, DeliveryResult.abandoned("replaced"));
        step();
        assertThat(ordered.sent()).isEqualTo("1231");
        assertThat(ordered.runs.get(3)).isNotSameAs(ordered.runs.get(0));

        ordered.end(3, DeliveryResult.DELIVERED);
        step();
        assertThat(ordered.sent()).isEqualTo("123123");
    }

    /** Otherwise the worker would send for ever, and neither renew its leases nor serve anybody else. */
    @Test
    void stepsBackWhereEverythingIsAbandonedAtOnce() {
        ordered.answer = message -> Optional.of(DeliveryResult.abandoned("the connection is given up"));
        write(3);
        run(Duration.ofSeconds(1));

        assertThat(ordered.sent()).hasSizeLessThan(100).matches("1+");
        assertThat(store.stats().held()).isEqualTo(3);
        ordered.answer = message -> Optional.of(DeliveryResult.DELIVERED);
        ordered.messages.clear();
        run(Duration.ofMinutes(1));
        assertThat(ordered.sent()).isEqualTo("123");
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void recordsARejectionThatIsKnownBeforeTheNextMessageBegins() {
        List<Long> deadBefore = new ArrayList<>();
        ordered.answer = message -> {
            deadBefore.add(store.stats().dead());
            return Optional.of(rejectsTheSecond(message));
        };
        write(3);
        run(Duration.ofSeconds(1));

        assertThat(ordered.sent()).isEqualTo("123");
        assertThat(deadBefore).containsExactly(0L, 0L, 1L);
    }

    @Test
    void goesOnBehindARejectionWhileEarlierMessagesAreOnTheirWay() {
        ordered.answer =
                message -> numberOf(message).equals("1") ? Optional.empty() : Optional.of(rejectsTheSecond(message));
        write(4);
        run(Duration.ofSeconds(1));

        assertThat(store.stats().dead()).isOne();
        assertThat(ordered.sent()).isEqualTo("1234");
        ordered.end(0, DeliveryResult.DELIVERED);
        step();
        assertThat(store.stats().undelivered()).isZero();
    }

    /** The second joins the held ones between two that are already read; those behind it must not pass it. */
    @Test
    void keepsTheOrderOfWhatLiesBetweenRetriedDeadLetters() {
        write(6);
        ordered.end(0, DeliveryResult.reject("bad"));
        ordered.end(2, DeliveryResult.reject("bad"));
        step();
        relay = relay(builder -> builder);
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator");
        ordered.messages.clear();
        run(Duration.ofSeconds(50));
        ordered.end(6, DeliveryResult.DELIVERED);
        run(Duration.ofSeconds(5));
        assertThat(ordered.sent()).as("the letters go first").isEqualTo("13");
        ordered.answer = message -> Optional.of(DeliveryResult.DELIVERED);
        ordered.end(7, DeliveryResult.DELIVERED);
        run(Duration.ofSeconds(5));

        assertThat(ordered.sent()).isEqualTo("132456");
        assertThat(store.stats().undelivered()).isZero();
    }

    private static DeliveryResult rejectsTheSecond(OutboxMessage message) {
        return numberOf(message).equals("2") ? DeliveryResult.reject("bad") : DeliveryResult.DELIVERED;
    }

    private void run(Duration time) {
        for (long end = clock.nanoTime() + time.toNanos(); clock.nanoTime() - end < 0; ) {
            step();
        }
    }

    private void write(int messages) {
        InMemoryTransaction transaction = store.begin();
        for (int i = 1; i <= messages; i++) {
            transaction.enqueue(OutboxMessage.builder("t")
                    .key("k")
                    .type("x")
                    .payload(String.valueOf(i).getBytes(StandardCharsets.UTF_8))
                    .build());
        }
        transaction.commit();
        step();
    }

    private void step() {
        relay.keeper().step();
        for (int i = 0; i < 3; i++) {
            relay.workers().forEach(LaneWorker::step);
            clock.advance(Duration.ofMillis(100));
        }
    }

    private static String numberOf(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }

    private static final class Ordered implements Destination {

        /** How a send ends at once; empty for one that is ended later. */
        private Function<OutboxMessage, Optional<DeliveryResult>> answer = message -> Optional.empty();

        private final List<OutboxMessage> messages = new ArrayList<>();
        private final List<KeyRun> runs = new ArrayList<>();
        private final List<CompletableFuture<DeliveryResult>> sends = new ArrayList<>();

        String sent() {
            StringBuilder all = new StringBuilder();
            messages.forEach(message -> all.append(numberOf(message)));
            return all.toString();
        }

        void end(int send, DeliveryResult result) {
            sends.get(send).complete(result);
        }

        @Override
        public String name() {
            return "ordered";
        }

        @Override
        public KeyOrder keyOrder() {
            return KeyOrder.PIPELINED;
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            throw new UnsupportedOperationException("A relay says to which run a message belongs");
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
            KeyRun run = context.run();
            messages.add(message);
            runs.add(run);
            CompletableFuture<DeliveryResult> send = new CompletableFuture<>();
            sends.add(send);
            answer.apply(message).ifPresent(send::complete);
            return send;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
