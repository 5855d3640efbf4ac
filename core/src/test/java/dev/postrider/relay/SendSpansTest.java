package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OldTracing;
import dev.postrider.Outbox;
import dev.postrider.RecordingTracing;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.BlockingDestination;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every attempt is one span: current while the destination sends, ended once with the outcome. */
@Timeout(60)
class SendSpansTest {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");
    private final RecordingTracing spans = new RecordingTracing(Map.of());

    @Test
    void tellsOfEachAttemptAndItsOutcome() {
        broker.answerNext(DeliveryResult.retry("busy"), DeliveryResult.reject("never", new IllegalStateException()));
        enqueue(1);

        Relay relay = Relay.builder(store, broker)
                .tracing(spans)
                .backoff(Backoff.constant(Duration.ofMillis(1)))
                .build();
        while (store.stats().undelivered() > 0) {
            relay.drainOnce();
        }

        assertThat(spans.log())
                .containsExactly(
                        "broker other attempt 1",
                        "postrider.outcome=retry",
                        "failed retry: busy",
                        "broker other attempt 2",
                        "postrider.outcome=rejected",
                        "failed java.lang.IllegalStateException: never");
        assertThat(spans.currentSpan()).isNull();
    }

    @Test
    void isCurrentOnTheThreadThatSends() {
        List<String> seen = new ArrayList<>();
        Destination destination = new Answering(message -> {
            seen.add(spans.currentSpan());
            return DeliveryResult.DELIVERED;
        });
        enqueue(2);

        drain(destination);

        assertThat(seen).containsExactly("span 1", "span 2");
        assertThat(spans.currentSpan()).isNull();
        assertThat(spans.ends()).isEqualTo(spans.begun());
    }

    @Test
    void isCurrentOnTheThreadOfABlockingCallAndLeavesNothingThere() throws Exception {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        CountDownLatch untraced = new CountDownLatch(1);
        BlockingDestination destination = BlockingDestination.of(
                "calls",
                message -> {
                    seen.add(String.valueOf(spans.currentSpan()));
                    untraced.countDown();
                },
                1,
                Duration.ofSeconds(5));
        enqueue(1);

        drain(destination);
        destination.send(message());

        assertThat(untraced.await(30, TimeUnit.SECONDS)).isTrue();
        destination.close();
        assertThat(seen).containsExactly("span 1", "null");
    }

    @Test
    void endsWhenTheDestinationThrows() {
        enqueue(1);

        drain(new Answering(message -> {
            throw new OutOfMemoryError("planted");
        }));

        assertThat(spans.log()).contains("failed java.lang.OutOfMemoryError: java.lang.OutOfMemoryError: planted");
        assertThat(spans.currentSpan()).isNull();
        assertThat(spans.ends()).isEqualTo(spans.begun());
    }

    @Test
    void endsOnceForHundredsInFlight() throws Exception {
        broker.hold();
        enqueue(500);
        try (Relay relay = Relay.builder(store, broker).tracing(spans).build()) {
            relay.start();
            broker.awaitSent(500, Duration.ofSeconds(30));
            assertThat(spans.begun()).isEqualTo(500);
            assertThat(spans.ends()).isZero();
            broker.release();
        }

        assertThat(spans.begun()).isEqualTo(500);
        assertThat(spans.ends()).isEqualTo(500);
    }

    @Test
    void endsWhenTheRelayIsClosedBeforeTheSendEnds() throws Exception {
        broker.hold();
        enqueue(3);
        Relay relay = Relay.builder(store, broker)
                .tracing(spans)
                .closeTimeout(Duration.ZERO)
                .build();
        relay.start();
        broker.awaitSent(3, Duration.ofSeconds(30));

        relay.close();

        assertThat(spans.ends()).isEqualTo(3);
        assertThat(spans.log())
                .contains("failed closed: The relay was closed before the destination reported an outcome");
        broker.release();
        assertThat(spans.ends()).as("ended once").isEqualTo(3);
    }

    /** Wherever a tracing library may fail. */
    enum Failing {
        SENDING,
        MAKE_CURRENT,
        CLOSE,
        TAG,
        END
    }

    @ParameterizedTest
    @EnumSource(Failing.class)
    void deliversThoughTracingFails(Failing where) {
        enqueue(3);
        TraceContext broken = new OldTracing(Optional.empty()) {
            @Override
            public TraceSpan sending(Sending sending) {
                failIf(where == Failing.SENDING);
                return new BrokenSpan(where);
            }
        };

        Relay.builder(store, broker).tracing(broken).build().drainOnce();

        assertThat(broker.delivered()).hasSize(3);
    }

    @Test
    void aTraceContextOfOldMakesNoSpans() {
        enqueue(1);

        Relay.builder(store, broker)
                .tracing(new OldTracing(Optional.empty()))
                .build()
                .drainOnce();

        assertThat(broker.delivered()).hasSize(1);
    }

    private void drain(Destination destination) {
        Relay.builder(store, destination).tracing(spans).build().drainOnce();
    }

    private void enqueue(int messages) {
        Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> {
            for (int i = 0; i < messages; i++) {
                tx.enqueue(message());
            }
        });
    }

    private static OutboxMessage message() {
        return OutboxMessage.builder("t").type("x").build();
    }

    private static void failIf(boolean isToFail) {
        if (isToFail) {
            throw new IllegalStateException("planted");
        }
    }

    /** Answers at once. */
    private record Answering(Function<OutboxMessage, DeliveryResult> answer) implements Destination {

        @Override
        public String name() {
            return "sending";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(answer.apply(message));
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }

    private record BrokenSpan(Failing where) implements TraceSpan {

        @Override
        public TraceContext.Scope makeCurrent() {
            failIf(where == Failing.MAKE_CURRENT);
            return () -> failIf(where == Failing.CLOSE);
        }

        @Override
        public void tag(String name, String value) {
            failIf(where == Failing.TAG);
        }

        @Override
        public void end() {
            failIf(where == Failing.END);
        }
    }
}
