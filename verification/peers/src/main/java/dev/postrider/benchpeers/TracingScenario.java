package dev.postrider.benchpeers;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.load.Business;
import dev.postrider.bench.load.Producers;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.bench.store.LoopDrain;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.spi.TraceContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What tracing costs: enqueueing and draining without it, with the library and no SDK behind it, and with a span of every creation and every
 * send, exported to nowhere. The ratio is how many times as long it takes.
 */
public final class TracingScenario implements Scenario {

    private static final String UNTRACED = "untraced";
    private static final String OFF = "off";
    private static final String SAMPLED = "sampled";
    private static final int PRODUCERS = 2;

    @Override
    public String name() {
        return "tracing";
    }

    @Override
    public String description() {
        return "enqueueing and draining with tracing off and with every message sampled, against none";
    }

    @Override
    public Size size() {
        return new Size(100_000, 512, 7);
    }

    @Override
    public Size quickSize() {
        return new Size(40_000, 512, 9);
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        Spans spans = new Spans();
        try (BenchOutbox outbox = context.openOutbox();
                OpenTelemetrySdk sdk = spans.sdk()) {
            Map<String, TraceContext> tracing = Map.of(
                    UNTRACED, TraceContext.NONE,
                    OFF, OpenTelemetryTracing.of(OpenTelemetry.noop()),
                    SAMPLED, OpenTelemetryTracing.builder(sdk).createSpans(true).build());
            List<Measurement> lines = new ArrayList<>();
            lines.addAll(lines("enqueue", enqueue(context, outbox, tracing).share(0.5)));
            lines.addAll(lines("drain", drain(context, outbox, tracing)));
            spans.require();
            return lines;
        }
    }

    private static Contest enqueue(BenchContext context, BenchOutbox outbox, Map<String, TraceContext> tracing)
            throws Exception {
        Business business = new Business(outbox, context.payload());
        Contest contest = new Contest(context);
        for (String subject : List.of(UNTRACED, OFF, SAMPLED)) {
            Business traced = business.tracedBy(outbox, tracing.get(subject));
            contest.subject(subject, transactions -> {
                business.forgetOrders();
                Producers.Output output =
                        new Producers(PRODUCERS, transactions, Duration.ofMinutes(1)).place(traced, 1);
                Round drained = LoopDrain.drain(outbox, output.transactions());
                outbox.requireEmpty();
                return new Round(output.perSecond(), output.transactions(), drained.delivered(), output.span());
            });
        }
        return contest;
    }

    private static Contest drain(BenchContext context, BenchOutbox outbox, Map<String, TraceContext> tracing) {
        Contest contest = new Contest(context);
        for (String subject : List.of(UNTRACED, OFF, SAMPLED)) {
            contest.subject(subject, messages -> {
                outbox.seed(messages, context.payload());
                Round round = RelayDrain.drain(outbox.store(), messages, relay -> relay.tracing(tracing.get(subject)));
                outbox.requireEmpty();
                return round;
            });
        }
        return contest;
    }

    private static List<Measurement> lines(String load, Contest contest) throws Exception {
        RoundsBySubject rounds = contest.run();
        List<Measurement> lines = new ArrayList<>();
        lines.add(rounds.of(UNTRACED).measured(UNTRACED).with("load", load));
        for (String subject : List.of(OFF, SAMPLED)) {
            lines.add(rounds.of(subject)
                    .measured(subject)
                    .comparedWith(rounds.of(UNTRACED).medianRatioTo(rounds.of(subject)), UNTRACED)
                    .with("load", load));
        }
        return lines;
    }

    /** Takes all spans and forgets them. */
    private static final class Spans implements SpanExporter {

        private final AtomicLong count = new AtomicLong();

        OpenTelemetrySdk sdk() {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(BatchSpanProcessor.builder(this).build())
                            .build())
                    .build();
        }

        /** Else nothing was measured. */
        void require() {
            if (count.get() == 0) {
                throw new BenchException("No span was exported");
            }
        }

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
