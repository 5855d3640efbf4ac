package dev.postrider.destination.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spi.Subscription;
import dev.postrider.testkit.ReceiverContract;
import dev.postrider.testkit.ReceiverFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryReceiverTest extends ReceiverContract {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final MemoryDestination destination = MemoryDestination.named("memory");
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @Override
    protected ReceiverFixture newFixture() {
        return new Fixture();
    }

    private void send(String type) {
        CompletableFuture<DeliveryResult> sent = destination.send(message(type)).toCompletableFuture();
        assertThat(sent).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED);
    }

    private static OutboxMessage message(String type) {
        return OutboxMessage.builder("orders").type(type).build();
    }

    @Test
    void passesOverTypesThatNobodyAskedFor() {
        Receiver receiver = destination.receiver("billing");
        receiver.start(new Subscription("billing", Set.of("a", "b")), delivery -> {
            handled.add(delivery.message().type());
            delivery.acknowledge();
        });

        List.of("a", "x", "b").forEach(this::send);
        destination.close();

        assertThat(receiver.termination().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void endsOnlyWhenTheLastMessageOfAClosedDestinationIsSettled() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Receiver receiver = destination.receiver("billing");
        receiver.start(
                Subscription.toAll("billing"),
                delivery -> new Thread(() -> {
                            await(release);
                            delivery.acknowledge();
                        })
                        .start());
        send("a");

        destination.close();

        CompletableFuture<Void> end = receiver.termination().toCompletableFuture();
        assertThat(end.isDone()).isFalse();
        release.countDown();
        end.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void saysWhyAMessageWasParked() {
        MemoryReceiver receiver = destination.receiver(
                "billing", MemoryReceiverOptions.defaults().withMaxAttempts(2).withRetryPause(Duration.ZERO));
        CompletableFuture<Void> second = new CompletableFuture<>();
        receiver.start(Subscription.toAll("billing"), delivery -> {
            delivery.retryLater("no stock");
            if (delivery.attempt() == 2) {
                second.complete(null);
            }
        });

        send("a");

        assertThat(second).succeedsWithin(SOON);
        assertThat(receiver.parked()).singleElement().satisfies(parked -> {
            assertThat(parked.reason()).isEqualTo("no stock");
            assertThat(parked.attempts()).isEqualTo(2);
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Fixture implements ReceiverFixture {

        private final MemoryDestination destination = MemoryDestination.named("memory");
        private final List<MemoryReceiver> receivers = new ArrayList<>();

        @Override
        public Receiver open(int prefetch, ReceiverListener listener) {
            MemoryReceiver receiver = destination.receiver(
                    "contract",
                    MemoryReceiverOptions.defaults()
                            .withPrefetch(prefetch)
                            .withRetryPause(Duration.ofMillis(20))
                            .withMaxAttempts(maxAttempts())
                            .withListener(listener));
            receivers.add(receiver);
            return receiver;
        }

        @Override
        public String topic() {
            return "orders";
        }

        @Override
        public int maxAttempts() {
            return 3;
        }

        /** Does not wait: the buffer is bounded, and a test may send more before it settles. */
        @Override
        public void send(OutboxMessage message) {
            CompletableFuture<DeliveryResult> sending =
                    destination.send(message).toCompletableFuture();
            assertThat(sending.isCompletedExceptionally()).isFalse();
        }

        @Override
        public List<OutboxMessage> parked(int count) {
            long end = System.nanoTime() + SOON.toNanos();
            while (parked().size() < count && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return parked();
        }

        private List<OutboxMessage> parked() {
            return receivers.stream()
                    .flatMap(receiver -> receiver.parked().stream())
                    .map(ParkedMessage::message)
                    .toList();
        }

        @Override
        public void close() {
            destination.close();
        }
    }
}
