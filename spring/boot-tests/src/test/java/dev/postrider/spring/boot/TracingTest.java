package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventContext;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.spring.SubscriberFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.BaggageInScope;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application that traces with Micrometer sees of its messages: exact spans, by a real SDK. */
class TracingTest {

    /** The format of Prometheus that has exemplars. */
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "management.tracing.sampling.probability=1.0",
                    "management.tracing.baggage.remote-fields=tenant",
                    "postrider.schema-mode=create",
                    "postrider.relay.backoff=constant 10ms");

    @Test
    void aSendIsLinkedToTheSpanOfWhoeverEnqueued() {
        application.run(context -> {
            Span request = place(context, "1");
            SpanData send = span(context, "send orders", 1).get(0);
            SpanData process = span(context, "process orders", 1).get(0);

            assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
            assertThat(send.getTraceId()).isNotEqualTo(request.context().traceId());
            assertThat(send.getParentSpanContext().isValid()).isFalse();
            assertLinked(send, request);
            assertThat(text(send, "messaging.destination.name")).isEqualTo("orders");
            assertThat(text(send, "messaging.operation.name")).isEqualTo("send");
            assertThat(text(send, "postrider.outbox")).isEqualTo("outbox");
            assertThat(text(send, "postrider.destination")).isEqualTo("memory");
            assertThat(text(send, "postrider.attempt")).isEqualTo("1");
            assertThat(Double.valueOf(text(send, "postrider.outbox.waited.seconds")))
                    .isNotNegative();
            assertThat(send.getEvents()).extracting(EventData::getName).containsExactly("postrider.outbox.waited");
            assertThat(process.getEvents()).isEmpty();
            assertThat(text(send, "messaging.message.id")).isEqualTo(text(process, "messaging.message.id"));

            assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(process.getParentSpanId()).isEqualTo(request.context().spanId());
            assertThat(process.getTraceId()).isEqualTo(request.context().traceId());
            assertThat(process.getLinks()).isEmpty();
            assertThat(text(process, "postrider.subscriber")).isEqualTo("billing");
            Shop shop = context.getBean(Shop.class);
            assertThat(shop.tracesOfHandler).containsExactly(process.getTraceId() + "/" + process.getSpanId());
        });
    }

    @Test
    void eachTimerHasANameAndTagsOfItsOwn() {
        application.run(context -> {
            place(context, "1");
            span(context, "process orders", 1);
            Eventually.await(() -> timers(context, "postrider.send").size() == 1);

            assertThat(timers(context, "postrider.send"))
                    .containsExactly(Map.of("destination", "memory", "outbox", "outbox", "outcome", "delivered"));
            assertThat(timers(context, "postrider.message.send"))
                    .containsExactly(Map.of(
                            "error", "none",
                            "messaging.operation.name", "send",
                            "messaging.operation.type", "send",
                            "messaging.system", "memory",
                            "postrider.destination", "memory",
                            "postrider.outbox", "outbox"));
            assertThat(timers(context, "postrider.message.process"))
                    .containsExactly(Map.of(
                            "error", "none",
                            "messaging.operation.name", "process",
                            "messaging.operation.type", "process",
                            "messaging.system", "memory",
                            "postrider.subscriber", "billing"));
            assertThat(scraped(context, "postrider_send_seconds_count"))
                    .as("each send counts once, whatever became of it")
                    .filteredOn(line -> !line.contains("} 0"))
                    .containsExactly("postrider_send_seconds_count"
                            + "{destination=\"memory\",outbox=\"outbox\",outcome=\"delivered\"} 1");
            assertThat(scraped(context, "postrider_message_send_seconds_count"))
                    .singleElement()
                    .asString()
                    .contains("} 1");
        });
    }

    @Test
    void theDelayNamesTheTraceOfTheMessageAsItsExemplar() {
        application.run(context -> {
            Span request = place(context, "1");
            String delay = "postrider_delivery_delay_seconds_bucket";
            Eventually.await(() -> scraped(context, delay).stream().anyMatch(line -> line.contains("trace_id")));
            assertThat(scraped(context, delay))
                    .anySatisfy(line -> assertThat(line)
                            .contains("trace_id=\"" + request.context().traceId() + "\"")
                            .contains("span_id=\"" + request.context().spanId() + "\""));
        });
    }

    /** Boot's tracer is found under a lock: two threads that ask for it while beans are made may wait for each other. */
    @Test
    void asksForExemplarsOfOthersOnceTheApplicationHasStarted() {
        application.withUserConfiguration(AskedTracer.class).run(context -> {
            List<Asked> asked = context.getBean(AskedTracer.class).asked;
            assertThat(asked).first().isEqualTo(new Asked(Thread.currentThread(), true));
            place(context, "1");
            Eventually.await(() -> asked.size() > 1);
            assertThat(asked).hasSizeGreaterThan(1).allMatch(Asked::whileRunning);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsByTheMessagingConventionsIfSoTold(boolean isTold) {
        application
                .withPropertyValues("postrider.metrics.messaging-conventions=" + isTold)
                .run(context -> {
                    place(context, "1");
                    Eventually.await(() -> timers(context, "postrider.send").size() == 1);
                    Map<String, String> tags =
                            Map.of("error.type", "", "messaging.operation.name", "send", "messaging.system", "memory");
                    assertThat(timers(context, "messaging.client.operation.duration"))
                            .isEqualTo(isTold ? List.of(tags) : List.of());
                });
    }

    @Test
    void aSendIsAChildIfSoTold() {
        application.withPropertyValues("postrider.tracing.send-as-child=true").run(context -> {
            Span request = place(context, "1");
            SpanData send = span(context, "send orders", 1).get(0);
            assertThat(send.getTraceId()).isEqualTo(request.context().traceId());
            assertThat(send.getParentSpanId()).isEqualTo(request.context().spanId());
            assertThat(send.getLinks()).isEmpty();
        });
    }

    @Test
    void aMessageIsCreatedInASpanOfItsOwnIfSoTold() {
        application.withPropertyValues("postrider.tracing.create-spans=true").run(context -> {
            Span request = place(context, "1");
            SpanData create = span(context, "create orders", 1).get(0);
            SpanData send = span(context, "send orders", 1).get(0);
            SpanData process = span(context, "process orders", 1).get(0);

            assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertThat(create.getParentSpanId()).isEqualTo(request.context().spanId());
            assertThat(text(create, "messaging.system")).isEqualTo("postrider");
            assertThat(text(create, "messaging.destination.name")).isEqualTo("orders");
            assertThat(text(create, "messaging.operation.name")).isEqualTo("create");
            assertThat(text(create, "messaging.message.id")).isEqualTo(text(send, "messaging.message.id"));
            assertThat(send.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo(create.getSpanId()));
            assertThat(process.getParentSpanId()).isEqualTo(create.getSpanId());
        });
    }

    @Test
    void whatIsPublishedStraightToADestinationIsAChildOfWhoeverPublishes() {
        application.run(context -> {
            Tracer tracer = context.getBean(Tracer.class);
            Span request = tracer.nextSpan().name("request").start();
            try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
                context.getBean(EventPublishers.class)
                        .to(context.getBean(Destination.class))
                        .publish(
                                EventType.of("orders.Placed", OrderPlaced.class).withTopic("straight"),
                                new OrderPlaced("1"));
            }
            SpanData send = span(context, "send straight", 1).get(0);

            assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
            assertThat(send.getParentSpanId()).isEqualTo(request.context().spanId());
            assertThat(send.getLinks()).isEmpty();
            assertThat(text(send, "postrider.outcome")).isEqualTo("delivered");
            assertThat(timers(context, "postrider.message.publish"))
                    .containsExactly(Map.of(
                            "error", "none",
                            "messaging.operation.name", "send",
                            "messaging.operation.type", "send",
                            "messaging.system", "memory",
                            "postrider.destination", "memory"));
        });
    }

    @ParameterizedTest
    @CsvSource({"00, false", "01, true", "02, false", "03, true"})
    void readsFromOneBitOfTheFlagsWhetherATraceIsSampled(String flags, boolean isSampled) {
        application.run(context -> {
            CarriedTrace carried =
                    new CarriedTrace(context.getBean(Tracer.class), context.getBean(Propagator.class), Set.of());
            assertThat(carried.context("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-" + flags))
                    .hasValueSatisfying(
                            creation -> assertThat(creation.sampled()).isEqualTo(isSampled));
        });
    }

    @Test
    void eachAttemptIsASpanAndTheMessageKeepsItsTrace() {
        application.run(context -> {
            context.getBean(Shop.class).failures.set(2);
            Span request = place(context, "1");
            List<SpanData> sends = span(context, "send orders", 3);

            assertThat(sends)
                    .extracting(send -> text(send, "postrider.attempt"))
                    .containsExactly("1", "2", "3");
            assertThat(sends).allSatisfy(send -> assertLinked(send, request));
            assertThat(sends)
                    .extracting(send -> send.getStatus().getStatusCode() == StatusCode.ERROR)
                    .containsExactly(true, true, false);
            assertThat(sends).extracting(send -> text(send, "error.type")).containsExactly("retry", "retry", null);
            Eventually.assertThat(() -> received(context), 1);
            assertThat(received(context).get(0).headers().get(Headers.TRACE_PARENT))
                    .hasValueSatisfying(parent -> assertThat(parent)
                            .startsWith("00-" + request.context().traceId() + "-"
                                    + request.context().spanId() + "-"));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void carriesAllowedBaggageAlone(boolean createSpans) {
        application
                .withPropertyValues("postrider.tracing.create-spans=" + createSpans)
                .run(context -> {
                    Tracer tracer = context.getBean(Tracer.class);
                    Span request = tracer.nextSpan().start();
                    try (Tracer.SpanInScope scope = tracer.withSpan(request);
                            BaggageInScope tenant = tracer.createBaggageInScope("tenant", "blue");
                            BaggageInScope secret = tracer.createBaggageInScope("secret", "x")) {
                        publish(context, "1");
                    }
                    Eventually.assertThat(() -> received(context), 1);
                    assertThat(received(context).get(0).headers().asMap()).doesNotContainValue("x");
                    assertThat(received(context).get(0).headers().get("baggage"))
                            .hasValueSatisfying(baggage ->
                                    assertThat(baggage).contains("tenant=blue").doesNotContain("secret"));
                });
    }

    @Test
    void isSilentWhereItIsSwitchedOff() {
        application.withPropertyValues("postrider.tracing.enabled=false").run(context -> {
            place(context, "1");
            Eventually.assertThat(() -> received(context), 1);
            assertThat(received(context).get(0).headers().get(Headers.TRACE_PARENT))
                    .isEmpty();
            assertThat(context).doesNotHaveBean(ObservedTracing.class);
        });
    }

    private static Span place(AssertableApplicationContext context, String id) {
        Tracer tracer = context.getBean(Tracer.class);
        Span request = tracer.nextSpan().name("request").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
            publish(context, id);
        } finally {
            request.end();
        }
        return request;
    }

    private static void publish(AssertableApplicationContext context, String id) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(
                        status -> context.getBean(SpringOutbox.class).publish(new OrderPlaced(id)));
    }

    /** The tags of each timer of this name that has counted one. */
    private static List<Map<String, String>> timers(AssertableApplicationContext context, String name) {
        return context.getBean(MeterRegistry.class).find(name).timers().stream()
                .filter(timer -> timer.count() == 1)
                .map(timer -> timer.getId().getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue)))
                .toList();
    }

    /** The lines of Prometheus that begin so. */
    private static List<String> scraped(AssertableApplicationContext context, String start) {
        return context.getBean(PrometheusMeterRegistry.class)
                .scrape(OPEN_METRICS)
                .lines()
                .filter(line -> line.startsWith(start))
                .toList();
    }

    private static List<SpanData> span(AssertableApplicationContext context, String name, int count) {
        InMemorySpanExporter exporter = context.getBean(Shop.class).spans;
        Eventually.await(() -> exporter.getFinishedSpanItems().stream()
                        .filter(span -> span.getName().equals(name))
                        .count()
                >= count);
        List<SpanData> found = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).as(name).hasSize(count);
        return found;
    }

    private static void assertLinked(SpanData span, Span to) {
        assertThat(span.getLinks()).singleElement().satisfies(link -> {
            assertThat(link.getSpanContext().getTraceId())
                    .isEqualTo(to.context().traceId());
            assertThat(link.getSpanContext().getSpanId()).isEqualTo(to.context().spanId());
        });
    }

    private static String text(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.stringKey(attribute));
    }

    private static List<OutboxMessage> received(AssertableApplicationContext context) {
        return context.getBean(Shop.class).received;
    }

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        final MemoryDestination memory = MemoryDestination.named("memory");
        final InMemorySpanExporter spans = InMemorySpanExporter.create();
        final List<OutboxMessage> received = new CopyOnWriteArrayList<>();
        final List<String> tracesOfHandler = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger();

        @Bean
        SpanProcessor processor() {
            return SimpleSpanProcessor.create(spans);
        }

        /** Fails as often as the test wants it to. */
        @Bean
        Destination broker() {
            return new ForwardingDestination(memory) {
                @Override
                protected CompletionStage<DeliveryResult> send(
                        OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
                    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        return CompletableFuture.completedFuture(DeliveryResult.retry("not now"));
                    }
                    return onward.get();
                }
            };
        }

        @Bean
        SubscriberFactory subscribers(CodecRegistry codecs, ObjectProvider<TraceContext> trace) {
            return name -> {
                Subscriber.Builder subscriber = Subscriber.builder(name, memory.receiver(name), codecs);
                trace.ifAvailable(tracing -> subscriber.intercept(new TraceInterceptor(tracing)));
                return subscriber;
            };
        }

        @Bean
        Billing billing(Tracer tracer) {
            return new Billing(this, tracer);
        }
    }

    /** In the place of Boot's. */
    @Configuration(proxyBeanMethods = false)
    static class AskedTracer {

        final List<Asked> asked = new CopyOnWriteArrayList<>();

        @Bean
        SpanContext exemplars(ConfigurableApplicationContext context) {
            return new SpanContext() {
                @Override
                public String getCurrentTraceId() {
                    return ask(null);
                }

                @Override
                public String getCurrentSpanId() {
                    return ask(null);
                }

                @Override
                public boolean isCurrentSpanSampled() {
                    return ask(false);
                }

                @Override
                public void markCurrentSpanAsExemplar() {
                    ask(null);
                }

                private <T> T ask(T answer) {
                    asked.add(new Asked(Thread.currentThread(), context.isRunning()));
                    return answer;
                }
            };
        }
    }

    record Asked(Thread thread, boolean whileRunning) {}

    record Billing(Shop shop, Tracer tracer) {

        @EventHandler(subscriber = "billing", once = false)
        void bill(OrderPlaced order, EventContext context) {
            Span span = tracer.currentSpan();
            if (span != null) {
                shop.tracesOfHandler.add(
                        span.context().traceId() + "/" + span.context().spanId());
            }
            shop.received.add(context.message());
        }
    }
}
