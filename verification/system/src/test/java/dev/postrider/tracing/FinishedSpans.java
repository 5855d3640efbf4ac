package dev.postrider.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The spans that have ended. Thread-safe. */
final class FinishedSpans {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

    InMemorySpanExporter exporter() {
        return exporter;
    }

    void forget() {
        exporter.reset();
    }

    static String traceParent(SpanData span) {
        return traceParent(span.getSpanContext());
    }

    static String traceParent(SpanContext span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getTraceFlags().asHex();
    }

    static List<String> links(SpanData span) {
        return span.getLinks().stream()
                .map(link -> traceParent(link.getSpanContext()))
                .toList();
    }

    List<String> names() {
        return exporter.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }

    SpanData only(String name) {
        List<SpanData> found = named(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    List<SpanData> named(String name) {
        Predicate<SpanData> isNamed = span -> span.getName().equals(name);
        return exporter.getFinishedSpanItems().stream().filter(isNamed).toList();
    }

    /** The test's own time limit ends it. */
    void await(String name, int spans) {
        while (named(name).size() < spans) {
            LockSupport.parkNanos(1_000_000);
            assertThat(Thread.currentThread().isInterrupted())
                    .as("in vain for %d of %s in %s", spans, name, exporter.getFinishedSpanItems())
                    .isFalse();
        }
    }

    static Map<String, Object> attributes(SpanData span) {
        Map<String, Object> all = new LinkedHashMap<>();
        span.getAttributes().forEach((key, value) -> all.put(key.getKey(), value));
        return all;
    }

    static Object attribute(SpanData span, String name) {
        return attributes(span).get(name);
    }
}
