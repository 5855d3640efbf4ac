package dev.postrider.bench.scenario;

import dev.postrider.bench.Size;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.spi.TraceContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What tracing costs: with the library and no SDK behind it, and with the SDK, which samples everything and exports it to nowhere. Each message
 * leaves one span, of its creation or of its send, and none may be lost. Thread-safe.
 */
final class BenchTracing implements AutoCloseable {

    static final String OFF = "tracing-off";
    static final String SAMPLED = "tracing-sampled";

    /** How many times as long it takes as without tracing. */
    private static final String COST = "tracing_cost";

    /** What the SDK exports at once must fit. */
    private static final int SMALLEST_QUEUE = 2_048;

    private final CountingExporter exporter = new CountingExporter();
    private final SdkTracerProvider provider;
    private final TraceContext off = OpenTelemetryTracing.of(OpenTelemetry.noop());
    private final TraceContext sampled;

    /** @param size of a round, all spans of which find room: those that the SDK drops would cost nothing */
    BenchTracing(Size size) {
        provider = SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(Math.max(SMALLEST_QUEUE, size.messages()))
                        .build())
                .build();
        sampled = OpenTelemetryTracing.builder(new Sdk(provider))
                .createSpans(true)
                .build();
    }

    TraceContext off() {
        return off;
    }

    TraceContext sampled() {
        return sampled;
    }

    /**
     * The same round, in which everything was sampled.
     *
     * @throws BenchException if it left other than one span of each message
     */
    Round counted(Round round) {
        provider.forceFlush().join(1, TimeUnit.MINUTES);
        long spans = exporter.count.getAndSet(0);
        if (spans != round.messages()) {
            throw new BenchException("%d messages left %d spans".formatted(round.messages(), spans));
        }
        return round;
    }

    /** The line of a subject that traces, against rounds of the same without. */
    static Measurement line(String subject, RoundsBySubject rounds, Rounds untraced) {
        Rounds own = rounds.of(subject);
        return own.measured(subject).with(COST, untraced.medianRatioTo(own));
    }

    @Override
    public void close() {
        provider.close();
    }

    private record Sdk(SdkTracerProvider provider) implements OpenTelemetry {

        @Override
        public TracerProvider getTracerProvider() {
            return provider;
        }

        @Override
        public ContextPropagators getPropagators() {
            return ContextPropagators.noop();
        }
    }

    /** Takes all spans and forgets them. */
    private static final class CountingExporter implements SpanExporter {

        private final AtomicLong count = new AtomicLong();

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            count.addAndGet(spans.size());
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
