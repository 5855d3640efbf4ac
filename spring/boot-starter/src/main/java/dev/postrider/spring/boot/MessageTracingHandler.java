package dev.postrider.spring.boot;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import java.util.Optional;

/**
 * Makes spans of observed messages. A send is linked to the creation of its message, or its child if so told; processing continues the trace
 * that arrived. Micrometer's own handlers for senders make neither links nor children of a stored trace. Thread-safe.
 */
final class MessageTracingHandler implements TracingObservationHandler<MessageObservation> {

    private final Tracer tracer;
    private final CarriedTrace carried;
    private final boolean sendAsChild;

    MessageTracingHandler(Tracer tracer, CarriedTrace carried, boolean sendAsChild) {
        this.tracer = tracer;
        this.carried = carried;
        this.sendAsChild = sendAsChild;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof MessageObservation;
    }

    @Override
    public void onStart(MessageObservation context) {
        Span.Builder span = context.isSend() ? tracer.spanBuilder() : carried.read(context.headers());
        Optional<Link> creation = carried.creation(context.headers(), context.isSend());
        if (context.isSend() && sendAsChild) {
            creation.map(Link::getTraceContext).ifPresent(span::setParent);
        } else {
            creation.ifPresent(span::addLink);
        }
        getTracingContext(context)
                .setSpan(span.kind(context.isSend() ? Span.Kind.CLIENT : Span.Kind.CONSUMER)
                        .name(context.spanned())
                        .start());
    }

    @Override
    public void onStop(MessageObservation context) {
        Span span = getRequiredSpan(context);
        tagSpan(context, span);
        endSpan(context, span);
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}
