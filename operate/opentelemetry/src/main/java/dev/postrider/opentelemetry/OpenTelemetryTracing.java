package dev.postrider.opentelemetry;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.TraceAttributes;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Traces messages with OpenTelemetry, by its conventions for messaging. One object serves any number of outboxes, relays and subscribers.
 *
 * <ul>
 *   <li>The outbox keeps the context of whoever enqueues with the message, and nothing changes it from then on.
 *   <li>The relay makes a span {@code send TOPIC} of each attempt, linked to that context. It is current while the destination sends.
 *   <li>A publisher that sends straight to a destination makes a span {@code send TOPIC}, too, as a child of what is current.
 *   <li>A subscriber makes a span {@code process TOPIC} of each attempt. Its parent is the trace that arrived; it is linked to the creation of
 *       the message if that is another one.
 * </ul>
 *
 * <p>There are no spans of polls, settles or batches. Thread-safe.
 *
 * <pre>{@code
 * TraceContext tracing = OpenTelemetryTracing.builder(openTelemetry).baggage("tenant").build();
 * Outbox outbox = Outbox.builder(store).tracing(tracing).build();
 * Relay relay = Relay.builder(store, kafka).tracing(tracing).build();
 * Subscriber.builder("billing", receiver, codecs).intercept(new TraceInterceptor(tracing)).build();
 * }</pre>
 */
public final class OpenTelemetryTracing implements TraceContext {

    private static final String SCOPE = "dev.postrider";

    private final Tracer tracer;

    /** Without an SDK no span is ever recorded, and none needs to be described for each message. */
    private final boolean isIdle;

    private final CarriedContext carried;
    private final boolean createSpans;
    private final boolean sendAsChild;

    private OpenTelemetryTracing(Builder builder) {
        this.tracer = builder.openTelemetry
                .tracerBuilder(SCOPE)
                .setSchemaUrl(SpanAttributes.SCHEMA_URL)
                .build();
        this.isIdle = tracer.getClass() == TracerProvider.noop().get(SCOPE).getClass();
        this.carried = new CarriedContext(Set.copyOf(builder.baggage));
        this.createSpans = builder.createSpans;
        this.sendAsChild = builder.sendAsChild;
    }

    /** Tracing with these; {@code GlobalOpenTelemetry.get()} is what the Java agent sets up. */
    public static Builder builder(OpenTelemetry openTelemetry) {
        return new Builder(openTelemetry);
    }

    /** Tracing with every option at its default. */
    public static OpenTelemetryTracing of(OpenTelemetry openTelemetry) {
        return builder(openTelemetry).build();
    }

    @Override
    public Optional<String> current() {
        return Optional.ofNullable(carried.write(Context.current()).get(Headers.TRACE_PARENT));
    }

    @Override
    public Scope continueFrom(String traceParent, String name) {
        Context parent = carried.read(Headers.none().with(Headers.TRACE_PARENT, traceParent), Context.current());
        OpenTelemetrySpan span =
                new OpenTelemetrySpan(tracer.spanBuilder(name).setParent(parent).startSpan(), parent);
        Scope scope = span.makeCurrent();
        return () -> {
            scope.close();
            span.end();
        };
    }

    @Override
    public Map<String, String> capture() {
        return carried.write(Context.current());
    }

    @Override
    public Map<String, String> capture(OutboxMessage message) {
        if (!createSpans) {
            return capture();
        }
        SpanBuilder builder = tracer.spanBuilder("create " + message.topic()).setSpanKind(SpanKind.PRODUCER);
        // Which broker it will go to is up to the relay.
        SpanAttributes.of(builder, "create", "postrider", message);
        Span span = builder.startSpan();
        span.end();
        return carried.write(Context.current().with(span));
    }

    @Override
    public TraceSpan sending(Sending sending) {
        if (isIdle) {
            return TraceSpan.NONE;
        }
        OutboxMessage message = sending.message();
        SpanContext creation = CarriedContext.creation(message.headers());
        Context parent = Context.current();
        SpanBuilder builder = tracer.spanBuilder("send " + message.topic()).setSpanKind(SpanKind.CLIENT);
        if (creation.isValid() && sendAsChild) {
            parent = parent.with(Span.wrap(creation));
        } else if (creation.isValid()) {
            builder.addLink(creation);
        }
        SpanAttributes.of(builder, "send", sending.destination().system(), message);
        Span span = builder.setParent(parent)
                .setAttribute(SpanAttributes.OUTBOX, sending.outbox())
                .setAttribute(SpanAttributes.DESTINATION, sending.destination().name())
                .setAttribute(SpanAttributes.LANE, (long) sending.lane())
                .setAttribute(SpanAttributes.ATTEMPT, (long) sending.attempt())
                .startSpan();
        if (span.isRecording()) {
            double seconds = sending.waited().toNanos() / 1e9;
            span.addEvent(TraceAttributes.WAITED, Attributes.of(SpanAttributes.WAITED_SECONDS, seconds));
        }
        return new OpenTelemetrySpan(span, parent);
    }

    /** A child of what is current: that is where the message is created. */
    @Override
    public TraceSpan publishing(Destination destination, OutboxMessage message) {
        Context parent = Context.current();
        SpanBuilder builder = tracer.spanBuilder("send " + message.topic())
                .setSpanKind(SpanKind.CLIENT)
                .setParent(parent)
                .setAttribute(SpanAttributes.DESTINATION, destination.name());
        SpanAttributes.of(builder, "send", destination.system(), message);
        return new OpenTelemetrySpan(builder.startSpan(), parent);
    }

    @Override
    public TraceSpan processing(Processing processing) {
        OutboxMessage message = processing.message();
        Context parent = carried.read(message.headers(), Context.current());
        SpanContext creation = CarriedContext.creation(message.headers());
        SpanBuilder builder = tracer.spanBuilder("process " + message.topic()).setSpanKind(SpanKind.CONSUMER);
        if (creation.isValid() && !isSame(creation, Span.fromContext(parent).getSpanContext())) {
            builder.addLink(creation);
        }
        SpanAttributes.of(builder, "process", processing.system(), message);
        Span span = builder.setParent(parent)
                .setAttribute(SpanAttributes.SUBSCRIBER, processing.subscriber())
                .setAttribute(SpanAttributes.ATTEMPT, (long) processing.attempt())
                .startSpan();
        return new OpenTelemetrySpan(span, parent);
    }

    private static boolean isSame(SpanContext one, SpanContext other) {
        return one.getSpanId().equals(other.getSpanId()) && one.getTraceId().equals(other.getTraceId());
    }

    /** Collects the options of {@link OpenTelemetryTracing}; not thread-safe. */
    public static final class Builder {

        private final OpenTelemetry openTelemetry;
        private final Set<String> baggage = new TreeSet<>();
        private boolean createSpans;
        private boolean sendAsChild;

        private Builder(OpenTelemetry openTelemetry) {
            this.openTelemetry = Objects.requireNonNull(openTelemetry, "openTelemetry");
        }

        /**
         * Entries of the baggage that messages carry, by their names. All others stay where they are: baggage may hold secrets, and a message
         * goes to whoever reads the topic. May be called several times. Default: none.
         */
        public Builder baggage(String... names) {
            for (String name : names) {
                if (name.isBlank()) {
                    throw new IllegalArgumentException("baggage has a blank name, expected one such as tenant");
                }
                baggage.add(name);
            }
            return this;
        }

        /** Whether a span {@code create TOPIC} is made of each message that is enqueued. Default: false. */
        public Builder createSpans(boolean value) {
            this.createSpans = value;
            return this;
        }

        /**
         * Whether the span of a send is a child of the span in which the message was created, in one trace, instead of a trace of its own that
         * is linked to it. Default: false, as the conventions ask: a message may be sent long after, and many times. Choose it where messages
         * leave within seconds and one picture of all is wanted.
         */
        public Builder sendAsChild(boolean value) {
            this.sendAsChild = value;
            return this;
        }

        public OpenTelemetryTracing build() {
            return new OpenTelemetryTracing(this);
        }
    }
}
