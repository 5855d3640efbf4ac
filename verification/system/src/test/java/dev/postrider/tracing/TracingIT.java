package dev.postrider.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.message.OutboxMessage;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import dev.postrider.testkit.InMemoryOutboxStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exactly which spans a message leaves on its way through a real broker. */
@Timeout(120)
class TracingIT {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            // What instrumentation writes into the headers of records.
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final ConcurrentLinkedQueue<OutboxMessage> received = new ConcurrentLinkedQueue<>();
    private final OpenTelemetryTracing tracing = OpenTelemetryTracing.of(sdk);
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final Outbox outbox = Outbox.builder(store).tracing(tracing).build();
    private final String topic = "traced-" + UUID.randomUUID();

    @AfterEach
    void close() {
        sdk.close();
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aDeliveredMessageIsSentOnceAndProcessedInTheTraceThatArrived(TracedBroker broker) {
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination).build();
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            SpanData request = enqueue("good", "{\"total\":42}");
            relay.start();
            await("process " + topic, 1);

            SpanData send = only("send " + topic);
            assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
            assertThat(send.getTraceId()).isNotEqualTo(request.getTraceId());
            assertThat(linkedSpans(send)).containsExactly(request.getSpanId());
            assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(attributes(send)).isEqualTo(sendAttributes(broker, 1, "delivered"));
            assertThat(send.getEvents())
                    .singleElement()
                    .satisfies(event -> assertThat(event.getName()).isEqualTo("postrider.outbox.waited"))
                    .satisfies(event -> assertThat(event.getAttributes()
                                    .get(AttributeKey.doubleKey("postrider.outbox.waited.seconds")))
                            .isNotNegative());

            SpanData process = only("process " + topic);
            assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(attributes(process)).isEqualTo(processAttributes(broker));
            if (broker == TracedBroker.KAFKA) {
                SpanData client = only(topic + " publish");
                assertThat(client.getKind()).isEqualTo(SpanKind.PRODUCER);
                assertThat(client.getInstrumentationScopeInfo().getName())
                        .isEqualTo("io.opentelemetry.kafka-clients-2.6");
                assertThat(client.getParentSpanId()).as("nests in the send").isEqualTo(send.getSpanId());
                assertThat(arrivedHeader("traceparent")).as("replaced").isEqualTo(traceParent(client));
                assertThat(process.getParentSpanId()).isEqualTo(client.getSpanId());
                assertThat(linkedSpans(process)).containsExactly(request.getSpanId());
            } else {
                assertThat(arrivedHeader("traceparent")).isEqualTo(traceParent(request));
                assertThat(process.getParentSpanId()).isEqualTo(request.getSpanId());
                assertThat(process.getLinks()).isEmpty();
            }
            assertThat(arrivedHeader("ce_traceparent")).isEqualTo(traceParent(request));
            SpanData effect = only("effect");
            assertThat(effect.getParentSpanId()).isEqualTo(process.getSpanId());
        }
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void eachAttemptIsASpanAndARejectedOneSaysWhy(TracedBroker broker) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination)
                        .backoff(Backoff.constant(Duration.ofMillis(1)))
                        .failureClassifier((message, failure) ->
                                isFirst.getAndSet(false) ? DeliveryResult.retry(failure.reason()) : failure)
                        .build()) {
            SpanData request = enqueueBad();
            relay.start();
            await("send " + BAD_TOPIC, 2);

            List<SpanData> sends = named("send " + BAD_TOPIC);
            assertThat(sends).allSatisfy(send -> {
                assertThat(linkedSpans(send)).containsExactly(request.getSpanId());
                assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
                assertThat(send.getStatus().getDescription()).isNotBlank();
            });
            assertThat(sends)
                    .extracting(send -> attribute(send, "postrider.outcome"))
                    .containsExactly("retry", "rejected");
            assertThat(sends)
                    .extracting(send -> attribute(send, "postrider.attempt"))
                    .containsExactly(1L, 2L);
            assertThat(sends)
                    .extracting(send -> attribute(send, "error.type"))
                    .containsExactly("retry", "dev.postrider.message.InvalidMessageException");
        }
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void anOutageIsAnErrorThatCountsNoAttempt(TracedBroker broker) {
        SpanData request = enqueue("good", "{}");
        try (Destination unreachable = broker.unreachable(topic);
                Relay relay = relay(unreachable).build()) {
            relay.start();
            await("send " + topic, 1);
        }
        SpanData failed = named("send " + topic).get(0);
        assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(failed, "postrider.outcome")).isEqualTo("outage");
        assertThat(attribute(failed, "error.type")).isNotNull();
        exporter.reset();

        try (Destination destination = broker.destination(topic, sdk);
                Subscriber subscriber = subscriber(broker);
                Relay relay = relay(destination).build()) {
            subscriber.start();
            relay.start();
            await("send " + topic, 1);
        }

        SpanData send = only("send " + topic);
        assertThat(attribute(send, "postrider.outcome")).isEqualTo("delivered");
        assertThat(attribute(send, "postrider.attempt")).isEqualTo(1L);
        assertThat(linkedSpans(send)).containsExactly(request.getSpanId());
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aMessageThatAnotherRelayTakesOverKeepsItsCreation(TracedBroker broker) {
        SpanData request = enqueue("good", "{}");
        try (Destination destination = broker.destination(topic, sdk);
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            dieAfterSending(destination);
            SpanData process = named("process " + topic).get(0);
            boolean isChild = process.getParentSpanId().equals(request.getSpanId());
            assertThat(isChild || linkedSpans(process).equals(List.of(request.getSpanId())))
                    .isTrue();
            // It may have had the time to call its send overdue.
            exporter.reset();
            try (Relay takesOver = relay(destination).build()) {
                takesOver.start();
                await("send " + topic, 1);
            }
        }

        SpanData send = only("send " + topic);
        assertThat(attribute(send, "postrider.attempt")).isEqualTo(1L);
        assertThat(linkedSpans(send)).containsExactly(request.getSpanId());
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aHandlerThatFailsLeavesAFailedSpan(TracedBroker broker) {
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination).build();
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            enqueue("bad", "{}");
            relay.start();
            await("process " + topic, 1);
        }

        SpanData process = only("process " + topic);
        assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(process, "error.type")).isEqualTo(UnprocessableEventException.class.getName());
    }

    /** Kafka and NATS have no such names. */
    private static final String BAD_TOPIC = "bad topic";

    private RelayBuilder relay(Destination destination) {
        return Relay.builder(store, destination).tracing(tracing).lease(Duration.ofSeconds(7));
    }

    /** The broker has the message, and nothing of that is recorded. */
    private void dieAfterSending(Destination destination) {
        try (Relay dies =
                relay(new Silent(destination)).closeTimeout(Duration.ZERO).build()) {
            dies.start();
            await("process " + topic, 1);
        }
    }

    private Subscriber subscriber(TracedBroker broker) {
        return Subscriber.builder("billing", broker.receiver(topic), CodecRegistry.of(JsonCodec.withDefaults()))
                .intercept(new TraceInterceptor(tracing))
                .build()
                .registerFallback((message, context) -> {
                    received.add(message);
                    if (message.type().equals("bad")) {
                        throw new UnprocessableEventException("never");
                    }
                    sdk.getTracer("test").spanBuilder("effect").startSpan().end();
                });
    }

    private SpanData enqueue(String type, String json) {
        return enqueue(
                OutboxMessage.builder(topic).key("k").type(type).json(json).build());
    }

    private SpanData enqueueBad() {
        return enqueue(OutboxMessage.builder(BAD_TOPIC)
                .key("k")
                .type("good")
                // RabbitMQ acts on it.
                .header("CC", "elsewhere")
                .build());
    }

    /** Within a request, whose span is returned. */
    private SpanData enqueue(OutboxMessage message) {
        Span request = sdk.getTracer("test").spanBuilder("request").startSpan();
        try (Scope scope = request.makeCurrent()) {
            assertThat(scope).isNotNull();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        } finally {
            request.end();
        }
        return only("request");
    }

    private Map<String, Object> sendAttributes(TracedBroker broker, long attempt, String outcome) {
        Map<String, Object> expected = messageAttributes(broker, "send");
        expected.put("postrider.outbox", store.name());
        expected.put("postrider.destination", "broker");
        expected.put("postrider.lane", attribute(only("send " + topic), "postrider.lane"));
        expected.put("postrider.attempt", attempt);
        expected.put("postrider.outcome", outcome);
        if (broker == TracedBroker.KAFKA) {
            expected.put("messaging.destination.partition.id", "0");
        }
        return expected;
    }

    private Map<String, Object> processAttributes(TracedBroker broker) {
        Map<String, Object> expected = messageAttributes(broker, "process");
        expected.put("postrider.subscriber", "billing");
        expected.put("postrider.attempt", 1L);
        return expected;
    }

    private Map<String, Object> messageAttributes(TracedBroker broker, String operation) {
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("messaging.system", broker.system());
        expected.put("messaging.destination.name", topic);
        expected.put("messaging.operation.name", operation);
        expected.put("messaging.operation.type", operation);
        expected.put("messaging.message.id", attribute(only("send " + topic), "messaging.message.id"));
        expected.put("messaging.message.body.size", 12L);
        if (broker == TracedBroker.KAFKA) {
            expected.put("messaging.kafka.message.key", "k");
        }
        return expected;
    }

    private static Map<String, Object> attributes(SpanData span) {
        Map<String, Object> all = new LinkedHashMap<>();
        span.getAttributes().forEach((key, value) -> all.put(key.getKey(), value));
        return all;
    }

    private static Object attribute(SpanData span, String name) {
        return attributes(span).get(name);
    }

    /** A header of the only message that arrived. */
    private String arrivedHeader(String name) {
        assertThat(received).hasSize(1);
        return received.element().headers().asMap().get(name);
    }

    private static String traceParent(SpanData span) {
        String flags = span.getSpanContext().getTraceFlags().asHex();
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + flags;
    }

    private static List<String> linkedSpans(SpanData span) {
        return span.getLinks().stream()
                .map(LinkData::getSpanContext)
                .map(context -> context.getSpanId())
                .toList();
    }

    private SpanData only(String name) {
        List<SpanData> found = named(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private List<SpanData> named(String name) {
        Predicate<SpanData> isNamed = span -> span.getName().equals(name);
        return exporter.getFinishedSpanItems().stream().filter(isNamed).toList();
    }

    /** The test's own time limit ends it. */
    private void await(String name, int spans) {
        while (named(name).size() < spans) {
            LockSupport.parkNanos(1_000_000);
            assertThat(Thread.currentThread().isInterrupted())
                    .as("in vain for %d of %s in %s", spans, name, exporter.getFinishedSpanItems())
                    .isFalse();
        }
    }

    /** The broker gets the message, and nobody ever learns of it: as if the relay had died. */
    private static final class Silent extends ForwardingDestination {

        Silent(Destination target) {
            super(target);
        }

        @Override
        protected CompletionStage<DeliveryResult> send(
                OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
            CompletionStage<DeliveryResult> unused = onward.get();
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }
}
