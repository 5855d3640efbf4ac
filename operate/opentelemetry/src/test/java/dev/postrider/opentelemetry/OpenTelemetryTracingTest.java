package dev.postrider.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.PublishOptions;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenTelemetryTracingTest {

    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String CREATION = "00-5bf92f3577b34da6a3ce929d0e0e4736-10f067aa0ba902b7-01";
    private static final String NO_PARENT = "0000000000000000";
    private static final EventType<String> NOTED = EventType.of("example.v1.Noted", String.class);

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = sdk(SimpleSpanProcessor.create(exporter));
    private final OpenTelemetryTracing tracing = OpenTelemetryTracing.of(sdk);
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");

    @AfterEach
    void leavesNoSpanOnTheThread() {
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
        sdk.close();
    }

    @Test
    void carriesTheBaggageThatIsAllowed() {
        OpenTelemetryTracing allowing =
                OpenTelemetryTracing.builder(sdk).baggage("tenant").build();

        assertThat(inBaggage(allowing::capture)).containsEntry("baggage", "tenant=7");
        assertThat(inBaggage(tracing::capture)).doesNotContainKey("baggage");
    }

    @Test
    void takesTheBaggageThatIsAllowedFromAMessage() {
        TraceSpan span = OpenTelemetryTracing.builder(sdk)
                .baggage("tenant")
                .build()
                .processing(processing(Map.of("traceparent", PARENT, "baggage", "tenant=7,password=secret")));

        TraceContext.Scope scope = span.makeCurrent();
        Baggage seen = Baggage.current();
        scope.close();

        assertThat(seen.asMap()).containsOnlyKeys("tenant");
    }

    @Test
    void refusesABlankNameOfBaggage() {
        assertThatThrownBy(() -> OpenTelemetryTracing.builder(sdk).baggage(" "))
                .hasMessageContaining("expected one such as tenant");
    }

    @Test
    void makesASpanOfTheCreationIfToldTo() {
        Outbox outbox = Outbox.builder(store)
                .tracing(OpenTelemetryTracing.builder(sdk).createSpans(true).build())
                .build();
        Span request = request();
        in(Context.root().with(request), () -> enqueue(outbox, message(Map.of())));
        relay(tracing);

        SpanData create = span("create orders");
        assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(create.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
        assertThat(links(span("send orders"))).containsExactly(create.getSpanId());
    }

    @Test
    void aPublisherWithoutAnOutboxMakesASpanOfEachEventItSends() {
        EventPublishers publishers = EventPublishers.builder(CodecRegistry.of(JsonCodec.withDefaults()))
                .intercept(new TraceInterceptor(tracing))
                .tracing(tracing)
                .build();
        EventPublisher publisher = publishers.to(broker);
        broker.answerNext(DeliveryResult.DELIVERED, DeliveryResult.reject("never"));
        Span request = request();
        in(Context.root().with(request), () -> {
            publisher.publish(NOTED, "good", PublishOptions.none().withTopic("orders"));
            assertThatThrownBy(() -> publisher.publish(
                            NOTED, "bad", PublishOptions.none().withTopic("bad")))
                    .hasMessageContaining("never");
        });

        SpanData send = span("send orders");
        assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(send.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
        assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(send.getAttributes().get(AttributeKey.stringKey("postrider.outcome")))
                .isEqualTo("delivered");
        assertThat(send.getAttributes().get(AttributeKey.stringKey("postrider.destination")))
                .isEqualTo("broker");
        SpanData refused = span("send bad");
        assertThat(refused.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(refused.getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("rejected");
    }

    @Test
    void makesASendAChildOfTheCreationIfToldTo() {
        enqueue(Outbox.withDefaults(store), message(Map.of("ce_traceparent", CREATION, "traceparent", PARENT)));
        relay(OpenTelemetryTracing.builder(sdk).sendAsChild(true).build());

        SpanData send = span("send orders");
        assertThat(send.getTraceId()).isEqualTo("5bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(send.getParentSpanId()).isEqualTo("10f067aa0ba902b7");
        assertThat(send.getLinks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void sendsAndProcessesAMessageWhoseTraceParentIsNone(String invalid) {
        enqueue(
                Outbox.builder(store).tracing(tracing).build(),
                message(Map.of("traceparent", invalid, "tracestate", "=,=")));
        relay(tracing);
        tracing.processing(processing(Map.of("traceparent", invalid))).end();

        assertThat(broker.delivered().get(0).headers().get("traceparent")).contains(invalid);
        assertThat(span("send orders").getLinks()).isEmpty();
        assertThat(span("process orders").getParentSpanId()).isEqualTo(NO_PARENT);
    }

    @Test
    void linksAProcessedMessageToItsCreationIfTheBrokersTraceIsAnother() {
        tracing.processing(processing(Map.of("traceparent", PARENT, "ce_traceparent", CREATION)))
                .end();

        assertThat(span("process orders").getParentSpanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(links(span("process orders"))).containsExactly("10f067aa0ba902b7");
    }

    @Test
    void keepsTheStateOfTheTrace() {
        tracing.processing(processing(Map.of("ce_traceparent", CREATION, "ce_tracestate", "vendor=1")))
                .end();

        assertThat(span("process orders").getParentSpanContext().getTraceState().get("vendor"))
                .isEqualTo("1");
    }

    @Test
    void continuesATraceByItsParentAlone() {
        TraceContext.Scope scope = tracing.continueFrom(PARENT, "handle x");
        String current = tracing.current().orElseThrow();
        scope.close();

        assertThat(current).startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-").isNotEqualTo(PARENT);
        assertThat(span("handle x").getParentSpanId()).isEqualTo("00f067aa0ba902b7");
        assertThat(tracing.current()).isEmpty();
    }

    @Test
    void deliversThoughTheExporterThrows() {
        OpenTelemetryTracing broken = OpenTelemetryTracing.builder(sdk(new Throwing()))
                .createSpans(true)
                .build();
        Outbox outbox = Outbox.builder(store).tracing(broken).build();
        enqueue(outbox, message(Map.of()));
        enqueue(outbox, message(Map.of()));

        relay(broken);

        assertThat(broker.delivered()).hasSize(2);
    }

    @Test
    void doesNothingWithoutAnSdk() {
        OpenTelemetryTracing noop = OpenTelemetryTracing.of(OpenTelemetry.noop());
        enqueue(Outbox.builder(store).tracing(noop).build(), message(Map.of()));
        relay(noop);

        assertThat(broker.delivered().get(0).headers().asMap()).containsOnlyKeys(Headers.TIME);
        assertThat(noop.sending(sending())).isSameAs(TraceSpan.NONE);
    }

    @Test
    void doesNotCarryATraceFromOneMessageToTheNext() {
        Outbox outbox = Outbox.builder(store).tracing(tracing).build();
        Span request = request();
        in(Context.root().with(request), () -> enqueue(outbox, message(Map.of())));
        enqueue(outbox, message(Map.of()));

        relay(OpenTelemetryTracing.builder(sdk).sendAsChild(true).build());

        assertThat(exporter.getFinishedSpanItems())
                .extracting(SpanData::getParentSpanId)
                .containsExactlyInAnyOrder(request.getSpanContext().getSpanId(), NO_PARENT);
    }

    private Map<String, String> inBaggage(Supplier<Map<String, String>> work) {
        Baggage baggage =
                Baggage.builder().put("tenant", "7").put("password", "secret").build();
        try (Scope scope = Context.root().with(request()).with(baggage).makeCurrent()) {
            assertThat(scope).isNotNull();
            return work.get();
        }
    }

    private static void in(Context context, Runnable work) {
        context.wrap(work).run();
    }

    private Span request() {
        return sdk.getTracer("test").spanBuilder("request").startSpan();
    }

    private void enqueue(Outbox outbox, OutboxMessage message) {
        outbox.inTransaction(store.dataSource(), tx -> tx.enqueue(message));
    }

    private void relay(TraceContext traces) {
        Relay.builder(store, broker).tracing(traces).build().drainOnce();
    }

    private static OutboxMessage message(Map<String, String> headers) {
        return OutboxMessage.builder("orders")
                .type("x")
                .headers(Headers.of(headers))
                .build();
    }

    private TraceContext.Sending sending() {
        SendContext context = SendContext.of(new KeyRun(new FirstLane()));
        return new TraceContext.Sending("outbox", broker, message(Map.of()), context, Duration.ZERO);
    }

    private static TraceContext.Processing processing(Map<String, String> headers) {
        return new TraceContext.Processing("billing", "kafka", message(headers), 1);
    }

    private static List<String> links(SpanData span) {
        return span.getLinks().stream()
                .map(link -> link.getSpanContext().getSpanId())
                .toList();
    }

    private SpanData span(String name) {
        List<SpanData> found = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private static OpenTelemetrySdk sdk(SpanProcessor processor) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(
                        SdkTracerProvider.builder().addSpanProcessor(processor).build())
                .build();
    }

    private record FirstLane() implements LaneTenure {

        @Override
        public int lane() {
            return 0;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public boolean isCertain() {
            return true;
        }
    }

    /** As an exporter that is called within the thread that ends a span, and fails. */
    private static final class Throwing implements SpanProcessor {

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            throw new IllegalStateException("planted");
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }
}
