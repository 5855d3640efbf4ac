package dev.postrider.opentelemetry;

import dev.postrider.message.Headers;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.BaggageBuilder;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes contexts into the headers of messages and reads them back, in the form of the W3C whatever the SDK is set to use elsewhere. Of the
 * baggage only the allowed entries pass, in both directions. Immutable and thread-safe.
 */
final class CarriedContext {

    private static final W3CTraceContextPropagator TRACE = W3CTraceContextPropagator.getInstance();
    private static final W3CBaggagePropagator BAGGAGE = W3CBaggagePropagator.getInstance();

    private final Set<String> allowedBaggage;

    CarriedContext(Set<String> allowedBaggage) {
        this.allowedBaggage = allowedBaggage;
    }

    Map<String, String> write(Context context) {
        Map<String, String> headers = new LinkedHashMap<>();
        TRACE.inject(context, headers, (carrier, name, value) -> carrier.put(name, value));
        if (!allowedBaggage.isEmpty()) {
            BAGGAGE.inject(
                    Context.root().with(allowed(Baggage.fromContext(context))),
                    headers,
                    (carrier, name, value) -> carrier.put(name, value));
        }
        return headers;
    }

    /** The context around, with what arrived with a message: the trace that its broker knows, else that of its creation. */
    Context read(Headers headers, Context around) {
        boolean hasOwn = headers.get(Headers.TRACE_PARENT).isPresent();
        Context read = TRACE.extract(around, headers, hasOwn ? Prefixed.PLAIN : Prefixed.CREATION);
        return allowedBaggage.isEmpty()
                ? read
                : read.with(allowed(Baggage.fromContext(BAGGAGE.extract(Context.root(), headers, Prefixed.PLAIN))));
    }

    /** Where the message was created; invalid if that is unknown. */
    static SpanContext creation(Headers headers) {
        boolean isKept = headers.get(Headers.CREATION_TRACE_PARENT).isPresent();
        if (!isKept && headers.get(Headers.TRACE_PARENT).isEmpty()) {
            return SpanContext.getInvalid();
        }
        return Span.fromContext(TRACE.extract(Context.root(), headers, isKept ? Prefixed.CREATION : Prefixed.PLAIN))
                .getSpanContext();
    }

    private Baggage allowed(Baggage all) {
        BaggageBuilder allowed = Baggage.builder();
        all.forEach((name, entry) -> {
            if (allowedBaggage.contains(name)) {
                allowed.put(name, entry.getValue(), entry.getMetadata());
            }
        });
        return allowed.build();
    }

    /** Finds the fields of a propagator among headers. */
    private enum Prefixed implements TextMapGetter<Headers> {
        PLAIN(Headers.TRACE_PARENT, Headers.TRACE_STATE),
        CREATION(Headers.CREATION_TRACE_PARENT, Headers.CREATION_TRACE_STATE);

        private final String traceParent;
        private final String traceState;

        Prefixed(String traceParent, String traceState) {
            this.traceParent = traceParent;
            this.traceState = traceState;
        }

        @Override
        public @Nullable String get(@Nullable Headers headers, String field) {
            return headers == null ? null : headers.get(name(field)).orElse(null);
        }

        private String name(String field) {
            return switch (field) {
                case Headers.TRACE_PARENT -> traceParent;
                case Headers.TRACE_STATE -> traceState;
                default -> field;
            };
        }
    }
}
