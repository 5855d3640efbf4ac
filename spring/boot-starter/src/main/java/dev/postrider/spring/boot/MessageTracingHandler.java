package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

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
        Span.Builder span = switch (context.step()) {
            case SEND -> sending(context.headers());
            // A child of what is current: that is where the message is made.
            case PUBLISH -> tracer.spanBuilder().kind(Span.Kind.CLIENT);
            case PROCESS -> processing(context.headers());
        };
        getTracingContext(context).setSpan(span.name(context.spanned()).start());
    }

    private Span.Builder sending(Headers headers) {
        Span.Builder span = tracer.spanBuilder().kind(Span.Kind.CLIENT);
        carried.creation(headers).ifPresent(creation -> {
            if (sendAsChild) {
                span.setParent(creation);
            } else {
                span.addLink(new Link(creation));
            }
        });
        return span;
    }

    private Span.Builder processing(Headers headers) {
        Span.Builder span = carried.read(headers).kind(Span.Kind.CONSUMER);
        if (!CarriedTrace.isCreationParent(headers)) {
            carried.creation(headers).ifPresent(creation -> span.addLink(new Link(creation)));
        }
        return span;
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
