package dev.postrider.bus.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventHandler;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.PublishFailedException;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.Codec;
import dev.postrider.spi.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterceptorsTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final Backoff AT_ONCE = failures -> Duration.ofMillis(1);

    private final MemoryDestination destination = MemoryDestination.named("memory");
    private final MemoryReceiver receiver = destination.receiver(
            "billing",
            MemoryReceiverOptions.defaults()
                    .withRetryPause(Duration.ofMillis(5))
                    .withMaxAttempts(2));
    private final CodecRegistry codecs = CodecRegistry.of(new Strings());
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private Subscriber subscriber;

    @AfterEach
    void close() {
        if (subscriber != null) {
            subscriber.close();
        }
        destination.close();
    }

    private void handle(HandleInterceptor interceptor, EventHandler<String> handler) {
        subscriber = Subscriber.builder("billing", receiver, codecs)
                .intercept(interceptor)
                .build()
                .register(CREATED, handler);
        subscriber.start();
    }

    private void publish(String data) {
        EventPublishers.builder(codecs).build().to(destination).publish(CREATED, data);
    }

    private String next() throws InterruptedException {
        String next = seen.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private String parkedReason() {
        while (receiver.parked().isEmpty()) {
            Thread.onSpinWait();
        }
        return receiver.parked().get(0).reason();
    }

    @Test
    void retriesAHandlerOnTheSpot() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        handle(new RetryInterceptor(3, AT_ONCE), (event, context) -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            seen.add(event + context.attempt());
        });

        publish("a");

        assertThat(next()).isEqualTo("a1");
        assertThat(calls).hasValue(3);
    }

    @Test
    void retriesNothingThatIsUnprocessable() {
        AtomicInteger calls = new AtomicInteger();
        handle(new RetryInterceptor(3, AT_ONCE), (event, context) -> {
            calls.incrementAndGet();
            throw new UnprocessableEventException("never");
        });

        publish("a");

        assertThat(parkedReason()).contains("never");
        assertThat(calls).hasValue(1);
    }

    @Test
    void publishesAgainWithTheSameId() {
        List<MessageId> ids = new ArrayList<>();
        PublishInterceptor failingOnce = (publication, next) -> {
            ids.add(publication.options().id().orElseThrow());
            if (ids.size() == 1) {
                throw new IllegalStateException("hiccup");
            }
            return next.proceed(publication);
        };
        destination.subscribe("group", message -> {});
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new RetryInterceptor(2, AT_ONCE))
                .intercept(failingOnce)
                .build()
                .to(destination);

        OutboxMessage message = publisher.publish(CREATED, "a");

        assertThat(ids).containsExactly(message.id(), message.id());
    }

    @Test
    void givesUpPublishingAfterTheLastAttempt() {
        AtomicInteger calls = new AtomicInteger();
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new RetryInterceptor(3, AT_ONCE))
                .intercept((publication, next) -> {
                    calls.incrementAndGet();
                    return next.proceed(publication);
                })
                .build()
                .to(destination);

        assertThatThrownBy(() -> publisher.publish(CREATED, "a"))
                .isInstanceOf(PublishFailedException.class)
                .hasMessageContaining("Nobody has subscribed");
        assertThat(calls).hasValue(3);
    }

    @Test
    void interruptsAHandlerThatTakesTooLong() {
        try (TimeoutInterceptor timeout = new TimeoutInterceptor(Duration.ofMillis(50))) {
            handle(timeout, (event, context) -> new CountDownLatch(1).await());

            publish("a");

            assertThat(parkedReason()).contains("took longer than PT0.05S");
        }
    }

    @Test
    void leavesNoInterruptBehind() throws Exception {
        try (TimeoutInterceptor timeout = new TimeoutInterceptor(Duration.ofMillis(50))) {
            HandleInterceptor around = (event, context, next) -> {
                timeout.intercept(event, context, next);
                seen.add("after " + Thread.currentThread().isInterrupted());
            };
            handle(around, (event, context) -> {
                // Ignores the interrupt and still ends well.
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            });

            publish("slow");

            assertThat(next()).isEqualTo("after false");
        }
    }

    @Test
    void letsTheServiceDecideWhatAFailureMeans() {
        handle(
                new RecoveryInterceptor((failure, context) -> {
                    throw new UnprocessableEventException("Broken for good", failure);
                }),
                (event, context) -> {
                    throw new StackOverflowError("deep");
                });

        publish("a");

        assertThat(parkedReason()).contains("Broken for good");
    }

    @Test
    void parksWhatIsNotValidAndPublishesNoneOfIt() {
        EventValidator validator = event -> event.equals("bad") ? List.of("title is missing") : List.of();
        handle(new ValidationInterceptor(validator), (event, context) -> seen.add(event));

        publish("bad");

        assertThat(parkedReason()).contains("title is missing");
        EventPublisher checking = EventPublishers.builder(codecs)
                .intercept(new ValidationInterceptor(validator))
                .build()
                .to(destination);
        assertThatThrownBy(() -> checking.publish(CREATED, "bad"))
                .isInstanceOf(UnprocessableEventException.class)
                .hasMessageContaining("title is missing");
        assertThat(seen).isEmpty();
    }

    @Test
    void carriesTheTraceFromPublisherToHandler() throws Exception {
        Trace trace = new Trace();
        handle(
                new TraceInterceptor(trace),
                (event, context) -> seen.add(trace.current().orElse("none")));
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new TraceInterceptor(trace))
                .build()
                .to(destination);

        try (TraceContext.Scope scope = trace.continueFrom("00-1-2-01", "test")) {
            assertThat(scope).isNotNull();
            OutboxMessage message = publisher.publish(CREATED, "a");
            assertThat(message.headers().get(Headers.TRACE_PARENT)).contains("00-1-2-01");
        }

        assertThat(next()).isEqualTo("00-1-2-01");
        publisher.publish(CREATED, "b");
        assertThat(next()).isEqualTo("none");
    }

    @Test
    void measuresBothSidesAndSurvivesABrokenMeter() throws Exception {
        BusMetrics metrics = new BusMetrics() {
            @Override
            public void published(String type, Outcome outcome, Duration duration) {
                seen.add("published " + outcome);
            }

            @Override
            public void handled(String who, String type, Outcome outcome, Duration duration) {
                seen.add(who + " handled " + outcome);
                throw new IllegalStateException("broken meter");
            }
        };
        handle(new MetricsInterceptor(metrics), (event, context) -> {
            if (event.equals("bad")) {
                throw new UnprocessableEventException("never");
            }
        });
        publish("bad");
        assertThat(next()).isEqualTo("billing handled UNPROCESSABLE");
        publish("good");
        assertThat(next()).isEqualTo("billing handled SUCCESS");

        EventPublishers.builder(codecs)
                .intercept(new MetricsInterceptor(metrics))
                .build()
                .to(destination)
                .publish(CREATED, "c");

        assertThat(List.of(next(), next())).contains("published SUCCESS");
    }

    @Test
    void logsWithoutChangingTheOutcome() {
        LoggingInterceptor logging = new LoggingInterceptor();
        handle(logging, (event, context) -> {
            throw new UnprocessableEventException("never");
        });

        EventPublishers.builder(codecs)
                .intercept(logging)
                .build()
                .to(destination)
                .publish(CREATED, "a");

        assertThat(parkedReason()).contains("never");
    }

    private static final class Trace implements TraceContext {

        private final ThreadLocal<String> parent = new ThreadLocal<>();

        @Override
        public Optional<String> current() {
            return Optional.ofNullable(parent.get());
        }

        @Override
        public Scope continueFrom(String traceParent, String name) {
            parent.set(traceParent);
            return parent::remove;
        }
    }

    private static final class Strings implements Codec {

        @Override
        public String contentType() {
            return "application/text";
        }

        @Override
        public Set<String> subtypes() {
            return Set.of("text");
        }

        @Override
        public boolean supports(Class<?> type) {
            return type == String.class;
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] data, Class<T> type) {
            return type.cast(new String(data, StandardCharsets.UTF_8));
        }
    }
}
