package dev.postrider.opentelemetry;

import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/** A span of OpenTelemetry, with the context that its work runs in. */
final class OpenTelemetrySpan implements TraceSpan {

    private final Span span;
    private final Context context;

    OpenTelemetrySpan(Span span, Context around) {
        this.span = span;
        this.context = around.with(span);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // Whoever made it current closes it.
    public TraceContext.Scope makeCurrent() {
        Scope scope = context.makeCurrent();
        return scope::close;
    }

    @Override
    public void tag(String name, String value) {
        span.setAttribute(name, value);
    }

    @Override
    public void end() {
        span.end();
    }

    @Override
    public void fail(String errorType, String reason) {
        span.setAttribute(SpanAttributes.ERROR_TYPE, errorType);
        span.setStatus(StatusCode.ERROR, reason);
        span.end();
    }
}
