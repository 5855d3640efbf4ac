package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list straight to a destination: its acknowledgements overlap, and order per key is kept. */
@Timeout(60)
class PublishAllTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    private final SlowBroker broker = new SlowBroker();
    private final EventPublisher publisher = EventPublishers.builder(CodecRegistry.of(new TextCodec("text")))
            .build()
            .to(broker);

    private static List<Publication> events(String... keys) {
        return Stream.of(keys)
                .map(key -> Publication.of(CREATED, key, PublishOptions.none().withKey(key)))
                .toList();
    }

    private CompletableFuture<List<OutboxMessage>> publish(List<Publication> events) {
        return CompletableFuture.supplyAsync(() -> publisher.publishAll(events));
    }

    @Test
    void doesNotWaitForOneAcknowledgementAfterTheOther() throws Exception {
        CompletableFuture<List<OutboxMessage>> published = publish(events("a", "b", "c"));

        broker.awaitBegun(3);
        assertThat(published).isNotDone();
        broker.answer(2, DeliveryResult.DELIVERED);
        broker.answer(0, DeliveryResult.DELIVERED);
        broker.answer(1, DeliveryResult.DELIVERED);

        assertThat(published.get(30, TimeUnit.SECONDS)).hasSize(3);
    }

    @Test
    void hasNoTwoOfAKeyOnTheirWay() throws Exception {
        CompletableFuture<List<OutboxMessage>> published = publish(events("a", "b", "a"));

        broker.awaitBegun(2);
        broker.answer(0, DeliveryResult.DELIVERED);
        broker.awaitBegun(3);
        broker.answer(1, DeliveryResult.DELIVERED);
        broker.answer(2, DeliveryResult.DELIVERED);

        assertThat(published.get(30, TimeUnit.SECONDS)).hasSize(3);
        assertThat(broker.mostOfAKey).isEqualTo(1);
    }

    @Test
    void keepsToTheBoundOfTheDestination() throws Exception {
        broker.maxInFlight = 2;
        CompletableFuture<List<OutboxMessage>> published = publish(events("a", "b", "c"));

        broker.awaitBegun(2);
        broker.answer(0, DeliveryResult.DELIVERED);
        broker.awaitBegun(3);
        broker.answer(1, DeliveryResult.DELIVERED);
        broker.answer(2, DeliveryResult.DELIVERED);

        assertThat(published.get(30, TimeUnit.SECONDS)).hasSize(3);
        assertThat(broker.mostAtOnce).isEqualTo(2);
    }

    /** Whoever publishes again begins with the event that is named: all before it are there. */
    @Test
    void namesTheFirstThatFailedWhenAllOthersHaveEnded() {
        CompletableFuture<List<OutboxMessage>> published = publish(events("a", "b", "c", "b", "d"));

        broker.awaitBegun(3);
        broker.answer(2, DeliveryResult.outage("gone too"));
        broker.answer(1, DeliveryResult.reject("too large"));
        assertThat(published).isNotDone();
        broker.answer(0, DeliveryResult.DELIVERED);

        assertThatThrownBy(() -> published.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(PublishFailedException.class, failure -> {
                    assertThat(failure.id())
                            .isEqualTo(broker.begun.get(1).message().id());
                    assertThat(failure.isWorthRetrying()).isFalse();
                });
        assertThat(broker.begun).hasSize(3);
    }

    @Test
    void takesADestinationThatThrowsForOneThatFailed() {
        Destination broken = new Destination() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public CompletionStage<DeliveryResult> send(OutboxMessage message) {
                throw new IllegalStateException("no buffer");
            }

            @Override
            public Duration deliveryTimeout() {
                return Duration.ofSeconds(1);
            }
        };

        assertThatThrownBy(() -> EventPublishers.builder(CodecRegistry.of(new TextCodec("text")))
                        .build()
                        .to(broken)
                        .publish(CREATED, "a"))
                .isInstanceOf(PublishFailedException.class)
                .hasMessageContaining("no buffer");
    }

    private record Begun(OutboxMessage message, CompletableFuture<DeliveryResult> end) {}

    /** Acknowledges when it is told to. */
    private static final class SlowBroker implements Destination {

        private final List<Begun> begun = new CopyOnWriteArrayList<>();
        private final Map<String, Integer> ofKeys = new ConcurrentHashMap<>();
        private volatile int maxInFlight = Integer.MAX_VALUE;
        private volatile int mostAtOnce;
        private volatile int mostOfAKey;

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public synchronized CompletionStage<DeliveryResult> send(OutboxMessage message) {
            begun.add(new Begun(message, new CompletableFuture<>()));
            String key = message.key().orElseThrow();
            mostOfAKey = Math.max(mostOfAKey, ofKeys.merge(key, 1, Integer::sum));
            mostAtOnce = Math.max(mostAtOnce, (int)
                    begun.stream().filter(each -> !each.end.isDone()).count());
            notifyAll();
            return begun.get(begun.size() - 1).end;
        }

        synchronized void awaitBegun(int count) {
            while (begun.size() < count) {
                try {
                    wait();
                } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                }
            }
        }

        void answer(int index, DeliveryResult result) {
            ofKeys.merge(begun.get(index).message.key().orElseThrow(), -1, Integer::sum);
            begun.get(index).end.complete(result);
        }

        @Override
        public int maxInFlight() {
            return maxInFlight;
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(30);
        }
    }
}
