package dev.postrider.tracing;

import static dev.postrider.tracing.FinishedSpans.attribute;
import static dev.postrider.tracing.FinishedSpans.attributes;
import static dev.postrider.tracing.FinishedSpans.links;
import static dev.postrider.tracing.FinishedSpans.traceParent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.message.InvalidMessageException;
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
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exactly which spans a message leaves on its way through a real broker. */
@Timeout(120)
class TracingIT {

    private final FinishedSpans spans = new FinishedSpans();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans.exporter()))
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
        Request request;
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination).build();
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            request = enqueue("good");
            relay.start();
            spans.await("send " + topic, 1);
            spans.await("process " + topic, 1);
        }

        assertSpans(broker.spansOf(topic, 1, "request", "send " + topic, "process " + topic, "effect"));
        SpanData send = spans.only("send " + topic);
        assertDelivered(broker, send, request, 1);
        SpanData process = spans.only("process " + topic);
        assertProcessed(broker, process, request, send);
        assertThat(arrivedHeader("traceparent"))
                .isEqualTo(traceParent(broker == TracedBroker.KAFKA ? spans.only(topic + " publish") : request.span()));
        assertThat(arrivedHeader("ce_traceparent")).isEqualTo(traceParent(request.span()));
        SpanData effect = spans.only("effect");
        assertThat(effect.getParentSpanId()).isEqualTo(process.getSpanId());
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void eachAttemptIsASpanUntilItIsDelivered(TracedBroker broker) {
        Request request;
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(new Hesitant(destination))
                        .backoff(Backoff.constant(Duration.ofMillis(1)))
                        .build();
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            request = enqueue("good");
            relay.start();
            spans.await("send " + topic, 2);
            spans.await("process " + topic, 1);
        }

        assertSpans(
                broker.spansOf(topic, 1, "request", "send " + topic, "send " + topic, "process " + topic, "effect"));
        List<SpanData> sends = spans.named("send " + topic);
        assertFailed(broker, sends.get(0), request, 1, "retry", "retry");
        assertDelivered(broker, sends.get(1), request, 2);
        assertProcessed(broker, spans.only("process " + topic), request, sends.get(1));
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aRejectedMessageSaysWhy(TracedBroker broker) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Request request;
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination)
                        .backoff(Backoff.constant(Duration.ofMillis(1)))
                        .failureClassifier((message, failure) ->
                                isFirst.getAndSet(false) ? DeliveryResult.retry(failure.reason()) : failure)
                        .build()) {
            request = enqueueBad();
            relay.start();
            spans.await("send " + BAD_TOPIC, 2);
        }

        assertSpans(List.of("request", "send " + BAD_TOPIC, "send " + BAD_TOPIC));
        List<SpanData> sends = spans.named("send " + BAD_TOPIC);
        assertFailed(broker, sends.get(0), request, 1, "retry", "retry");
        assertFailed(broker, sends.get(1), request, 2, "rejected", InvalidMessageException.class.getName());
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void anOutageIsAnErrorThatCountsNoAttempt(TracedBroker broker) {
        Request request = enqueue("good");
        try (Destination unreachable = broker.unreachable(topic);
                Relay relay = relay(unreachable).build()) {
            relay.start();
            spans.await("send " + topic, 1);
        }
        assertThat(spans.names()).containsOnly("request", "send " + topic);
        assertFailed(broker, spans.named("send " + topic).get(0), request, 1, "outage", broker.outageError());
        spans.forget();

        try (Destination destination = broker.destination(topic, sdk);
                Subscriber subscriber = subscriber(broker);
                Relay relay = relay(destination).build()) {
            subscriber.start();
            relay.start();
            spans.await("send " + topic, 1);
            spans.await("process " + topic, 1);
        }

        assertSpans(broker.spansOf(topic, 1, "send " + topic, "process " + topic, "effect"));
        assertDelivered(broker, spans.only("send " + topic), request, 1);
        assertProcessed(broker, spans.only("process " + topic), request, spans.only("send " + topic));
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aMessageThatAnotherRelayTakesOverKeepsItsCreation(TracedBroker broker) {
        Request request = enqueue("good");
        // NATS knows a message by its id.
        int copies = broker == TracedBroker.NATS ? 1 : 2;
        try (Destination destination = broker.destination(topic, sdk);
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            dieAfterSending(destination);
            try (Relay takesOver = relay(destination).build()) {
                takesOver.start();
                spans.await("send " + topic, 2);
                spans.await("process " + topic, copies);
            }
        }

        List<String> expected = broker.spansOf(topic, 2, "request", "send " + topic, "send " + topic);
        for (int i = 0; i < copies; i++) {
            expected.addAll(List.of("process " + topic, "effect"));
        }
        assertSpans(expected);
        List<SpanData> sends = spans.named("send " + topic);
        // It may have had the time to call its send overdue.
        String outcome = attribute(sends.get(0), "postrider.outcome").equals("overdue") ? "overdue" : "closed";
        assertFailed(broker, sends.get(0), request, 1, outcome, outcome);
        assertDelivered(broker, sends.get(1), request, 1);
        List<SpanData> processed = spans.named("process " + topic);
        for (int i = 0; i < copies; i++) {
            assertProcessed(broker, processed.get(i), request, sends.get(i));
        }
    }

    @ParameterizedTest
    @EnumSource(TracedBroker.class)
    void aHandlerThatFailsLeavesAFailedSpan(TracedBroker broker) {
        Request request;
        try (Destination destination = broker.destination(topic, sdk);
                Relay relay = relay(destination).build();
                Subscriber subscriber = subscriber(broker)) {
            subscriber.start();
            request = enqueue("bad");
            relay.start();
            spans.await("send " + topic, 1);
            spans.await("process " + topic, 1);
        }

        assertSpans(broker.spansOf(topic, 1, "request", "send " + topic, "process " + topic));
        SpanData process = spans.only("process " + topic);
        assertThat(process.getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "never"));
        Map<String, Object> expected = processAttributes(broker, request);
        expected.put("error.type", UnprocessableEventException.class.getName());
        assertThat(attributes(process)).isEqualTo(expected);
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
            spans.await("process " + topic, 1);
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

    private Request enqueue(String type) {
        return enqueue(OutboxMessage.builder(topic)
                .key("k")
                .type(type)
                .json("{\"total\":42}")
                .build());
    }

    private Request enqueueBad() {
        return enqueue(OutboxMessage.builder(BAD_TOPIC)
                .key("k")
                .type("good")
                // RabbitMQ acts on it.
                .header("CC", "elsewhere")
                .build());
    }

    private Request enqueue(OutboxMessage message) {
        Span request = sdk.getTracer("test").spanBuilder("request").startSpan();
        try (Scope scope = request.makeCurrent()) {
            assertThat(scope).isNotNull();
            outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
        } finally {
            request.end();
        }
        return new Request(spans.only("request"), message);
    }

    /** Who has enqueued what. */
    private record Request(SpanData span, OutboxMessage message) {}

    /** These and no others, in any order. */
    private void assertSpans(List<String> names) {
        assertThat(spans.names()).containsExactlyInAnyOrderElementsOf(names);
    }

    private void assertDelivered(TracedBroker broker, SpanData send, Request request, long attempt) {
        assertSend(send, request);
        assertThat(send.getStatus()).isEqualTo(StatusData.unset());
        Map<String, Object> expected = sendAttributes(broker, send, request, attempt, "delivered");
        expected.putAll(broker.place());
        assertThat(attributes(send)).isEqualTo(expected);
    }

    private void assertFailed(
            TracedBroker broker, SpanData send, Request request, long attempt, String outcome, String errorType) {
        assertSend(send, request);
        assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(send.getStatus().getDescription()).isNotBlank();
        Map<String, Object> expected = sendAttributes(broker, send, request, attempt, outcome);
        expected.put("error.type", errorType);
        Map<String, Object> actual = attributes(send);
        if (outcome.equals("closed") || outcome.equals("overdue")) {
            // The client may have said where it is, though the relay never learned of it.
            actual.keySet().removeAll(broker.place().keySet());
        }
        assertThat(actual).isEqualTo(expected);
    }

    /** What all sends have: they are linked to the creation, in traces of their own. */
    private static void assertSend(SpanData send, Request request) {
        assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(send.getParentSpanContext().isValid()).isFalse();
        assertThat(send.getTraceId()).isNotEqualTo(request.span().getTraceId());
        assertThat(links(send)).containsExactly(traceParent(request.span()));
        assertThat(send.getEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.getName()).isEqualTo("postrider.outbox.waited"))
                .satisfies(event -> assertThat(
                                event.getAttributes().get(AttributeKey.doubleKey("postrider.outbox.waited.seconds")))
                        .isNotNegative());
    }

    /** In the trace that arrived: that of Kafka's own client, which nests in the send, else that of the creation. */
    private void assertProcessed(TracedBroker broker, SpanData process, Request request, SpanData send) {
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(process.getStatus()).isEqualTo(StatusData.unset());
        assertThat(process.getEvents()).isEmpty();
        assertThat(attributes(process)).isEqualTo(processAttributes(broker, request));
        if (broker == TracedBroker.KAFKA) {
            SpanData client = spans.named(topic + " publish").stream()
                    .filter(span -> span.getSpanId().equals(process.getParentSpanId()))
                    .findFirst()
                    .orElseThrow();
            assertThat(client.getKind()).isEqualTo(SpanKind.PRODUCER);
            assertThat(client.getInstrumentationScopeInfo().getName()).isEqualTo("io.opentelemetry.kafka-clients-2.6");
            assertThat(client.getParentSpanId()).as("nests in the send").isEqualTo(send.getSpanId());
            assertThat(process.getTraceId()).isEqualTo(send.getTraceId());
            assertThat(links(process)).containsExactly(traceParent(request.span()));
        } else {
            assertThat(process.getParentSpanId()).isEqualTo(request.span().getSpanId());
            assertThat(process.getTraceId()).isEqualTo(request.span().getTraceId());
            assertThat(process.getLinks()).isEmpty();
        }
    }

    private Map<String, Object> sendAttributes(
            TracedBroker broker, SpanData send, Request request, long attempt, String outcome) {
        Map<String, Object> expected = messageAttributes(broker, request, "send");
        expected.put("postrider.outbox", store.name());
        expected.put("postrider.destination", "broker");
        // The store's choice; it is the same for all attempts, since the key is.
        expected.put("postrider.lane", attribute(spans.named(send.getName()).get(0), "postrider.lane"));
        expected.put("postrider.attempt", attempt);
        expected.put("postrider.outcome", outcome);
        return expected;
    }

    private static Map<String, Object> processAttributes(TracedBroker broker, Request request) {
        Map<String, Object> expected = messageAttributes(broker, request, "process");
        expected.put("postrider.subscriber", "billing");
        expected.put("postrider.attempt", 1L);
        return expected;
    }

    private static Map<String, Object> messageAttributes(TracedBroker broker, Request request, String operation) {
        OutboxMessage message = request.message();
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("messaging.system", broker.system());
        expected.put("messaging.destination.name", message.topic());
        expected.put("messaging.operation.name", operation);
        expected.put("messaging.operation.type", operation);
        expected.put("messaging.message.id", message.id().text());
        expected.put("messaging.message.body.size", (long) message.payload().length);
        if (broker == TracedBroker.KAFKA) {
            expected.put("messaging.kafka.message.key", "k");
        }
        return expected;
    }

    /** A header of the only message that arrived. */
    private String arrivedHeader(String name) {
        assertThat(received).hasSize(1);
        return received.element().headers().asMap().get(name);
    }

    /** Fails once. */
    private static final class Hesitant extends ForwardingDestination {

        private final AtomicBoolean isFirst = new AtomicBoolean(true);

        Hesitant(Destination target) {
            super(target);
        }

        @Override
        protected CompletionStage<DeliveryResult> send(
                OutboxMessage message, Supplier<CompletionStage<DeliveryResult>> onward) {
            return isFirst.getAndSet(false)
                    ? CompletableFuture.completedFuture(DeliveryResult.retry("not now"))
                    : onward.get();
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
