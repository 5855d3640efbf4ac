package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A standalone relay in a process that has OpenTelemetry, as the Java agent sets it up. */
class TracedServiceTest {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final JdbcDataSource database = new JdbcDataSource();

    @TempDir
    private Path directory;

    @BeforeEach
    void setUp() {
        GlobalOpenTelemetry.resetForTest();
        GlobalOpenTelemetry.set(sdk);
        database.setURL("jdbc:h2:mem:traced-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @AfterEach
    void tearDown() {
        GlobalOpenTelemetry.resetForTest();
        sdk.close();
    }

    @Test
    void makesSpansWhereTheFileHasTheSection() throws IOException {
        Span request = enqueue();

        relay("tracing: {}");

        SpanData send = onlySpan();
        assertThat(send.getName()).isEqualTo("send orders");
        assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(send.getParentSpanContext().isValid()).isFalse();
        assertThat(send.getLinks())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanContext().getSpanId())
                        .isEqualTo(request.getSpanContext().getSpanId()));
    }

    @Test
    void makesThemChildrenIfSoTold() throws IOException {
        Span request = enqueue();

        relay("tracing: {send-as-child: true}");

        assertThat(onlySpan().getParentSpanId())
                .isEqualTo(request.getSpanContext().getSpanId());
    }

    @Test
    void makesNoneWithoutTheSection() throws IOException {
        enqueue();

        relay("");

        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }

    private Span enqueue() {
        Outbox outbox = Outbox.builder(H2OutboxStore.builder(database)
                        .schemaMode(SchemaMode.CREATE)
                        .build())
                .tracing(OpenTelemetryTracing.of(sdk))
                .build();
        Span request = sdk.getTracer("test").spanBuilder("request").startSpan();
        try (Scope scope = request.makeCurrent()) {
            assertThat(scope).isNotNull();
            outbox.inTransaction(
                    database,
                    tx -> tx.enqueue(
                            OutboxMessage.builder("orders").type("placed").build()));
        }
        return request;
    }

    /** Delivers what is there. */
    private void relay(String tracing) throws IOException {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations: {out: {type: log}}
                outboxes:
                  orders: {database: {url: "%s"}, destination: out}
                %s
                """.formatted(database.getURL(), tracing));
        try (RelayService service = RelayService.of(ServiceConfig.load(file, Map.of()))) {
            assertThat(service.drainOnce().get("orders").delivered()).isOne();
        }
    }

    private SpanData onlySpan() {
        assertThat(exporter.getFinishedSpanItems()).hasSize(1);
        return exporter.getFinishedSpanItems().get(0);
    }
}
