package dev.postrider.micrometer;

import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives {@code postrider.delivery.delay} exemplars: beside a bucket, Prometheus keeps the trace of a message that fell into it. The trace is
 * that of the transaction which wrote the message, taken from its header {@code traceparent}, if it was sampled. All other meters
 * get what the given context says. Thread-safe.
 *
 * <p>Prometheus reads exemplars in the OpenMetrics format only. Needs {@code prometheus-metrics-tracer-common}, which Micrometer's registry
 * for Prometheus brings along.
 *
 * <pre>{@code
 * new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new MessageExemplars());
 * }</pre>
 */
public final class MessageExemplars implements SpanContext {

    private final Optional<SpanContext> others;

    /** Exemplars of messages alone. */
    public MessageExemplars() {
        this.others = Optional.empty();
    }

    /** The same, and for all other meters those of a tracer. */
    public MessageExemplars(SpanContext others) {
        this.others = Optional.of(others);
    }

    @Override
    public @Nullable String getCurrentTraceId() {
        return get(RecordedMessage.Span::traceId, SpanContext::getCurrentTraceId);
    }

    @Override
    public @Nullable String getCurrentSpanId() {
        return get(RecordedMessage.Span::spanId, SpanContext::getCurrentSpanId);
    }

    @Override
    public boolean isCurrentSpanSampled() {
        return Boolean.TRUE.equals(get(RecordedMessage.Span::isSampled, SpanContext::isCurrentSpanSampled));
    }

    /** Nothing for messages: the span that wrote one is over. */
    @Override
    public void markCurrentSpanAsExemplar() {
        if (RecordedMessage.current().isEmpty()) {
            others.ifPresent(SpanContext::markCurrentSpanAsExemplar);
        }
    }

    private <T> @Nullable T get(
            Function<RecordedMessage.Span, T> ofMessage, Function<SpanContext, @Nullable T> ofOthers) {
        Optional<RecordedMessage.Span> message = RecordedMessage.current();
        return message.isPresent()
                ? ofMessage.apply(message.get())
                : others.map(context -> ofOthers.apply(context)).orElse(null);
    }
}
