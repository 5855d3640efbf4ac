package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bus.interceptor.RecoveryInterceptor;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of handlers, and of their events, when a subscriber closes. */
@Timeout(60)
class SubscriberCloseTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    private final MemoryDestination destination = MemoryDestination.named("memory");
    private final MemoryReceiver receiver =
            destination.receiver("billing", MemoryReceiverOptions.defaults().withMaxAttempts(1));
    private final CodecRegistry codecs = CodecRegistry.of(new TextCodec("json"));
    private final EventPublisher publisher =
            EventPublishers.builder(codecs).build().to(destination);
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private Subscriber subscriber;

    @AfterEach
    void close() {
        subscriber.close();
        destination.close();
    }

    private void start(Duration drainTimeout, EventHandler<String> handler) {
        subscriber = Subscriber.builder("billing", receiver, codecs)
                .options(SubscriberOptions.defaults().withDrainTimeout(drainTimeout))
                .build()
                .register(CREATED, handler);
        subscriber.start();
    }

    @Test
    void letsHandlersEndWhenItCloses() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        start(Duration.ofMinutes(1), (event, context) -> {
            begun.countDown();
            release.await();
            handled.add(event + " " + context.isClosing());
        });
        publisher.publish(CREATED, "a");
        begun.await();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(subscriber::close);
        // Time enough for an interrupt, which would end the handler and with it the closing.
        assertThatThrownBy(() -> closing.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        release.countDown();

        assertThat(closing).succeedsWithin(SOON);
        assertThat(handled).containsExactly("a true");
        assertThat(subscriber.termination().toCompletableFuture()).isCompleted();
    }

    /** Also an event at its last attempt, which a failure would park. */
    @Test
    void interruptsHandlersThatTakeTooLongAndGivesTheirEventsBack() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        start(Duration.ofMillis(50), (event, context) -> {
            begun.countDown();
            new CountDownLatch(1).await();
        });
        publisher.publish(CREATED, "a");
        begun.await();

        subscriber.close();

        assertThat(receiver.parked()).isEmpty();
        requireThatItArrivesAgain();
    }

    /** A handler that cannot be ended keeps its thread, and nothing else. */
    @Test
    void closesThoughAHandlerNeverEnds() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        start(Duration.ZERO, (event, context) -> {
            begun.countDown();
            awaitIgnoringInterrupts(end);
        });
        publisher.publish(CREATED, "a");
        begun.await();

        subscriber.close();

        assertThat(subscriber.isRunning()).isFalse();
        requireThatItArrivesAgain();
        end.countDown();
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        boolean hasEnded = false;
        while (!hasEnded) {
            try {
                latch.await();
                hasEnded = true;
            } catch (InterruptedException ignored) {
                // As code does that was written without thinking of it.
            }
        }
    }

    private void requireThatItArrivesAgain() throws InterruptedException {
        try (MemoryReceiver next = destination.receiver("billing")) {
            next.start(
                    Subscription.toAll("billing"),
                    delivery -> handled.add(delivery.message().type()));
            assertThat(handled.poll(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(CREATED.name());
        }
    }

    /** Else what a service decides about failures would lose or park an event whose handler just had to end. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void decidesNothingAboutAnEventWhoseHandlerWasInterrupted(boolean isFlagRestored) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean isDecided = new AtomicBoolean();
        subscriber = Subscriber.builder("billing", receiver, codecs)
                .options(SubscriberOptions.defaults().withDrainTimeout(Duration.ZERO))
                .intercept(new RecoveryInterceptor((failure, context) -> isDecided.set(true)))
                .build()
                .register(CREATED, (event, context) -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException interrupted) {
                        if (isFlagRestored) {
                            Thread.currentThread().interrupt();
                            throw new IllegalStateException("I had to stop");
                        }
                        throw new IllegalStateException("I had to stop", interrupted);
                    }
                });
        subscriber.start();
        publisher.publish(CREATED, "a");
        begun.await();

        subscriber.close();

        assertThat(isDecided).isFalse();
    }
}
