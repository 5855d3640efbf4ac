package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.destination.memory.ParkedMessage;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of events (A000-02, -03 and -05 of the reference). */
@Timeout(60)
class SubscriberTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final EventType<String> BURNT = EventType.of("example.books.v1.BookBurnt", String.class);

    private final MemoryDestination destination = MemoryDestination.named("memory", 1_000);
    private final MemoryReceiver receiver = destination.receiver(
            "billing",
            MemoryReceiverOptions.defaults()
                    .withRetryPause(Duration.ofMillis(20))
                    .withMaxAttempts(3));
    private final CodecRegistry codecs = CodecRegistry.of(new TextCodec("json"));
    private final EventPublisher publisher = EventPublishers.builder(codecs)
            .defaults(PublishOptions.none().withSource("/books"))
            .build()
            .to(destination);
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private Subscriber.Builder builder = Subscriber.builder("billing", receiver, codecs);
    private Subscriber subscriber;

    @AfterEach
    void close() {
        if (subscriber != null) {
            subscriber.close();
        }
        destination.close();
    }

    private void start(EventHandler<String> handler) {
        subscriber = builder.build().register(CREATED, handler);
        subscriber.start();
    }

    private String nextHandled() throws InterruptedException {
        String next = handled.poll(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("an event that was handled").isNotNull();
        return next;
    }

    private List<ParkedMessage> parked(int count) {
        long end = System.nanoTime() + SOON.toNanos();
        while (receiver.parked().size() < count && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return receiver.parked();
    }

    @Test
    void givesHandlersTypedDataWithContext() throws Exception {
        CompletableFuture<EventContext> seen = new CompletableFuture<>();
        start((event, context) -> {
            handled.add(event);
            seen.complete(context);
        });

        OutboxMessage sent = publisher.publish(
                CREATED, "Ulysses", PublishOptions.none().withKey("book-17").withSubject("17"));

        assertThat(nextHandled()).isEqualTo("Ulysses");
        EventContext context = seen.get();
        assertThat(context.attributes().id()).isEqualTo(sent.id().toString());
        assertThat(context.attributes().source()).isEqualTo("/books");
        assertThat(context.attributes().subject()).contains("17");
        assertThat(context.message().id()).isEqualTo(sent.id());
        assertThat(context.key()).contains("book-17");
        assertThat(context.attempt()).isEqualTo(1);
        assertThat(context.subscriber()).isEqualTo("billing");
        assertThat(context.isClosing()).isFalse();
    }

    @Test
    void triesAgainWhatFailedForNow() throws Exception {
        start((event, context) -> {
            handled.add(event + context.attempt());
            if (context.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        });

        publisher.publish(CREATED, "a");

        assertThat(List.of(nextHandled(), nextHandled(), nextHandled())).containsExactly("a1", "a2", "a3");
        assertThat(receiver.parked()).isEmpty();
    }

    @Test
    void runsAsManyHandlersAtOnceAsItHasThreads() throws Exception {
        builder = builder.options(SubscriberOptions.defaults().withThreads(3));
        CyclicBarrier three = new CyclicBarrier(3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        start((event, context) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            // With fewer threads nobody would get past this.
            three.await();
            running.decrementAndGet();
            handled.add(event);
        });

        for (int i = 0; i < 9; i++) {
            publisher.publish(CREATED, "event-" + i);
        }

        for (int i = 0; i < 9; i++) {
            nextHandled();
        }
        assertThat(most).hasValueLessThanOrEqualTo(3);
    }

    @Test
    void triesAgainAfterAnErrorAsWell() throws Exception {
        start((event, context) -> {
            handled.add(event + context.attempt());
            if (context.attempt() == 1) {
                throw new StackOverflowError("too deep");
            }
        });

        publisher.publish(CREATED, "a");

        assertThat(List.of(nextHandled(), nextHandled())).containsExactly("a1", "a2");
    }

    @Test
    void parksWhatIsUnprocessableHoweverDeepItLies() {
        start((event, context) -> {
            throw new IllegalStateException("outer", new UnprocessableEventException("no such book"));
        });

        publisher.publish(CREATED, "a");

        assertThat(parked(1)).singleElement().satisfies(parked -> {
            assertThat(parked.attempts()).isEqualTo(1);
            assertThat(parked.reason()).contains("outer");
        });
    }

    @Test
    void parksDataThatCannotBeReadWithoutCallingAnInterceptor() {
        AtomicInteger intercepted = new AtomicInteger();
        builder = builder.intercept((event, context, next) -> intercepted.incrementAndGet());
        start((event, context) -> handled.add(event));

        publisher.publish(CREATED, "broken");
        send(message("example.books.v1.BookCreated", "text/plain"));
        send(message("example.books.v1.BookCreated", "application/unknown"));

        assertThat(parked(3))
                .extracting(ParkedMessage::reason)
                .anyMatch(reason -> reason.contains("broken on purpose"))
                .anyMatch(reason -> reason.contains("'text/plain' is not supported"))
                .anyMatch(reason -> reason.contains("No codec for content type 'application/unknown'"));
        assertThat(intercepted).hasValue(0);
        assertThat(handled).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BookCreated", ".BookCreated", "example.books.v1.", "example.books.v1.BookBurnt"})
    void parksATypeThatNobodyHandles(String type) {
        // A type as a whole never reaches it in memory, so it asks for everything by way of a second receiver.
        EventProcessor processor = new EventProcessor(
                Subscriber.builder("billing", new StubReceiver(), codecs),
                new HandlerRegistry(),
                () -> false,
                () -> false);
        MemoryReceiver all = destination.receiver("all");
        all.start(Subscription.toAll("all"), processor::process);

        send(message(type, "application/json"));

        long end = System.nanoTime() + SOON.toNanos();
        while (all.parked().isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(all.parked())
                .singleElement()
                .satisfies(parked -> assertThat(parked.reason()).contains("no handler for event type '" + type + "'"));
        all.close();
    }

    private static OutboxMessage message(String type, String contentType) {
        return OutboxMessage.builder("example.books.v1")
                .type(type)
                .contentType(contentType)
                .payload("x".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private void send(OutboxMessage message) {
        assertThat(destination.send(message).toCompletableFuture())
                .succeedsWithin(SOON)
                .isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void handlesAnyOtherTypeWhereAHandlerIsThereForTheRest() throws Exception {
        subscriber = builder.build()
                .register(CREATED, (event, context) -> handled.add("created " + event))
                .registerFallback((message, context) -> handled.add("rest " + message.type()));
        subscriber.start();

        publisher.publish(BURNT, "a");
        assertThat(nextHandled()).isEqualTo("rest example.books.v1.BookBurnt");
        publisher.publish(CREATED, "b");
        assertThat(nextHandled()).isEqualTo("created b");
    }

    @Test
    void callsInterceptorsInTheOrderGivenAndTheSameRestAgain() throws Exception {
        builder = builder.intercept(noting("A"))
                .intercept((event, context, next) -> {
                    handled.add("B");
                    try {
                        next.proceed();
                    } catch (IllegalStateException first) {
                        handled.add("B");
                        next.proceed();
                    }
                })
                .intercept(noting("C"));
        AtomicInteger calls = new AtomicInteger();
        start((event, context) -> {
            handled.add("H");
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            handled.add("end");
        });

        publisher.publish(CREATED, "a");

        List<String> order = new CopyOnWriteArrayList<>();
        for (String next = nextHandled(); !next.equals("end"); next = nextHandled()) {
            order.add(next);
        }
        assertThat(order).containsExactly("A", "B", "C", "H", "B", "C", "H");
    }

    private HandleInterceptor noting(String name) {
        return (event, context, next) -> {
            handled.add(name);
            next.proceed();
        };
    }

    @Test
    void handlesOneKeyInOrderAndOthersMeanwhile() throws Exception {
        CountDownLatch otherWasHandled = new CountDownLatch(1);
        start((event, context) -> {
            if (event.equals("0")) {
                // Would wait for ever if the other key had to wait for this one.
                otherWasHandled.await();
            }
            handled.add(event);
            if (event.equals("other")) {
                otherWasHandled.countDown();
            }
        });

        for (int i = 0; i < 10; i++) {
            publisher.publish(CREATED, String.valueOf(i), PublishOptions.none().withKey("same"));
        }
        publisher.publish(CREATED, "other", PublishOptions.none().withKey("different"));

        assertThat(nextHandled()).isEqualTo("other");
        for (int i = 0; i < 10; i++) {
            assertThat(nextHandled()).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void keepsTheOrderOfAKeyWhileOneOfItIsRetried() throws Exception {
        start((event, context) -> {
            if (event.equals("a") && context.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            handled.add(event);
        });

        List.of("a", "b", "c")
                .forEach(each ->
                        publisher.publish(CREATED, each, PublishOptions.none().withKey("k")));

        assertThat(List.of(nextHandled(), nextHandled(), nextHandled())).containsExactly("a", "b", "c");
    }
}
