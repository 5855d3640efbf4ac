package dev.postrider.examples.tracing;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Comparator;
import java.util.List;

/** Prints spans as a tree, each below its parent. */
record TraceTree(List<SpanData> spans) {

    void print() {
        spans.stream().filter(this::isRoot).forEach(root -> print(root, ""));
        long traces = spans.stream().map(SpanData::getTraceId).distinct().count();
        System.out.println(spans.size() + " spans, " + traces + (traces == 1 ? " trace" : " traces"));
    }

    private boolean isRoot(SpanData span) {
        return span.getParentSpanId().equals(SpanId.getInvalid());
    }

    private void print(SpanData span, String indent) {
        System.out.println(indent + span.getName() + " (" + span.getKind() + ")");
        spans.stream()
                .filter(child -> child.getParentSpanId().equals(span.getSpanId()))
                .sorted(Comparator.comparing(SpanData::getStartEpochNanos))
                .forEach(child -> print(child, indent + "  "));
    }
}
