package dev.postrider.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.TraceContext;
import dev.postrider.testkit.InMemoryOutboxStore;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The code of the guide about tracing. */
class TracingGuideTest {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();

    @Test
    void tracesAMessageFromTheOutboxToItsHandler() throws Exception {
        InMemoryOutboxStore inMemory = new InMemoryOutboxStore(4, Clock.systemUTC());
        OutboxStore store = inMemory;
        MemoryDestination memory = MemoryDestination.named("broker");
        Destination kafka = memory;
        Receiver receiver = memory.receiver("billing");
        CodecRegistry codecs = CodecRegistry.of(JsonCodec.withDefaults());
        OpenTelemetry openTelemetry = sdk;
        BlockingQueue<String> tenants = new LinkedBlockingQueue<>();

        // snippet: tracing
        TraceContext tracing = OpenTelemetryTracing.builder(openTelemetry)
                .baggage("tenant") // all other baggage stays in this process
                .build();
        Outbox outbox = Outbox.builder(store).tracing(tracing).build();
        Relay relay = Relay.builder(store, kafka).tracing(tracing).build();
        Subscriber subscriber = Subscriber.builder("billing", receiver, codecs)
                .intercept(new TraceInterceptor(tracing))
                .build();
        // end

        subscriber.registerFallback((message, context) ->
                tenants.add(String.valueOf(Baggage.current().getEntryValue("tenant"))));
        try (relay;
                subscriber) {
            subscriber.start();
            relay.start();
            OutboxMessage message =
                    OutboxMessage.builder("orders").type("x").json("{}").build();
            Baggage.builder()
                    .put("tenant", "7")
                    .build()
                    .storeInContext(Context.root())
                    .wrap(() -> outbox.inTransaction(inMemory.dataSource(), tx -> tx.enqueue(message)))
                    .run();
            assertThat(tenants.poll(30, TimeUnit.SECONDS)).isEqualTo("7");
        }
        assertThat(names()).containsExactlyInAnyOrder("send orders", "process orders");
    }

    private List<String> names() {
        return exporter.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }
}
