package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.TraceAttributes;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.Map;
import java.util.Optional;

/**
 * Observes messages with Micrometer: attempts to send and to process are observations, and spans where the application traces. What an
 * outbox keeps with a message is written by the propagator of the application. Thread-safe.
 */
final class ObservedTracing implements TraceContext {

    /** How long is a tag of the span: events of observations carry no values. */
    private static final Observation.Event WAITED = Observation.Event.of("waited", TraceAttributes.WAITED);

    private final ObservationRegistry registry;
    private final Tracer tracer;
    private final CarriedTrace carried;
    private final boolean createSpans;

    ObservedTracing(ObservationRegistry registry, Tracer tracer, CarriedTrace carried, boolean createSpans) {
        this.registry = registry;
        this.tracer = tracer;
        this.carried = carried;
        this.createSpans = createSpans;
    }

    @Override
    public Optional<String> current() {
        return Optional.ofNullable(capture().get(Headers.TRACE_PARENT));
    }

    @Override
    public Map<String, String> capture() {
        Span span = tracer.currentSpan();
        return span == null ? Map.of() : carried.write(span.context());
    }

    /** The span is no observation: a timer of what takes no time would tell nothing. */
    @Override
    public Map<String, String> capture(OutboxMessage message) {
        if (!createSpans) {
            return capture();
        }
        Span span = tracer.spanBuilder()
                .kind(Span.Kind.PRODUCER)
                .name("create " + message.topic())
                // Which broker it will go to is up to the relay.
                .tag(TraceAttributes.SYSTEM, "postrider")
                .tag(TraceAttributes.TOPIC, message.topic())
                .tag(TraceAttributes.OPERATION_NAME, "create")
                .tag(TraceAttributes.OPERATION_TYPE, "create")
                .tag(TraceAttributes.MESSAGE_ID, message.id().text())
                .tag(TraceAttributes.BODY_SIZE, message.payload().length)
                .start();
        span.end();
        return carried.write(span.context());
    }

    @Override
    public Scope continueFrom(String traceParent, String name) {
        Span span = carried.read(Headers.none().with(Headers.TRACE_PARENT, traceParent))
                .name(name)
                .start();
        Tracer.SpanInScope scope = tracer.withSpan(span);
        return () -> {
            scope.close();
            span.end();
        };
    }

    @Override
    public TraceSpan sending(Sending sending) {
        Observation observation = start(MessageObservation.of(sending));
        observation.event(WAITED);
        return new MessageSpan(observation);
    }

    @Override
    public TraceSpan publishing(Destination destination, OutboxMessage message) {
        return new MessageSpan(start(MessageObservation.of(destination, message)));
    }

    @Override
    public TraceSpan processing(Processing processing) {
        return new MessageSpan(start(MessageObservation.of(processing)));
    }

    private Observation start(MessageObservation context) {
        return Observation.createNotStarted(context.observed(), () -> context, registry)
                .contextualName(context.spanned())
                .start();
    }
}
