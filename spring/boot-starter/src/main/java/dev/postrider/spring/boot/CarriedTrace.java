package dev.postrider.spring.boot;

import dev.postrider.message.Headers;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes traces into the headers of messages and reads them back. Of the baggage only the allowed entries pass. Immutable and thread-safe.
 *
 * <p>Whatever form the application's propagator writes, {@code traceparent} is there too: links are made from it, and other applications
 * read it.
 */
final class CarriedTrace {

    private static final Pattern TRACE_PARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
    /** The bit among the flags of a trace parent. */
    private static final int SAMPLED = 1;

    private static final String BAGGAGE = "baggage";

    /** By which a broker's client says that it was in a trace. */
    private static final List<String> OWN = List.of(Headers.TRACE_PARENT, "b3", "X-B3-TraceId");

    private final Tracer tracer;
    private final Propagator propagator;
    private final Set<String> allowedBaggage;

    CarriedTrace(Tracer tracer, Propagator propagator, Set<String> allowedBaggage) {
        this.tracer = tracer;
        this.propagator = propagator;
        this.allowedBaggage = Set.copyOf(allowedBaggage);
    }

    Map<String, String> write(TraceContext context) {
        Map<String, String> headers = new LinkedHashMap<>();
        propagator.inject(context, headers, (carrier, name, value) -> carrier.put(name, value));
        String baggage = allowed(headers.getOrDefault(BAGGAGE, ""));
        headers.remove(BAGGAGE);
        if (!baggage.isEmpty()) {
            headers.put(BAGGAGE, baggage);
        }
        headers.putIfAbsent(Headers.TRACE_PARENT, traceParent(context));
        return headers;
    }

    private String allowed(String entries) {
        return Arrays.stream(entries.split(","))
                .filter(entry -> allowedBaggage.contains(entry.split("=", 2)[0].strip()))
                .collect(Collectors.joining(","));
    }

    private static String traceParent(TraceContext context) {
        String sampled = Boolean.TRUE.equals(context.sampled()) ? "01" : "00";
        return "00-" + "0".repeat(32 - context.traceId().length()) + context.traceId() + "-" + context.spanId() + "-"
                + sampled;
    }

    /** A span to be started, whose parent is the trace that arrived with a message: that of its broker, else that of its creation. */
    Span.Builder read(Headers headers) {
        boolean hasOwn = OWN.stream().anyMatch(field -> headers.get(field).isPresent());
        return propagator.extract(
                headers,
                (carrier, field) -> carrier.asMap()
                        .get(hasOwn || !field.startsWith("trace") ? field : Headers.EXTENSION_PREFIX + field));
    }

    /** Where the message was created. */
    Optional<TraceContext> creation(Headers headers) {
        return headers.get(Headers.CREATION_TRACE_PARENT)
                .or(() -> headers.get(Headers.TRACE_PARENT))
                .flatMap(this::context);
    }

    /** Whether that is the trace which arrived, because no client on the way has replaced it. */
    static boolean isCreationParent(Headers headers) {
        Optional<String> own = headers.get(Headers.TRACE_PARENT);
        Optional<String> kept = headers.get(Headers.CREATION_TRACE_PARENT);
        return kept.isEmpty() || own.isEmpty() || own.equals(kept);
    }

    Optional<TraceContext> context(String traceParent) {
        Matcher parts = TRACE_PARENT.matcher(traceParent);
        return parts.matches()
                ? Optional.of(tracer.traceContextBuilder()
                        .traceId(parts.group(1))
                        .spanId(parts.group(2))
                        .sampled((Integer.parseInt(parts.group(3), 16) & SAMPLED) != 0)
                        .build())
                : Optional.empty();
    }
}
