package dev.postrider.examples.tracing;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Spans as a tree, each below its parent. */
record TraceTree(List<SpanData> spans) {

    /** A span, and how many others it is part of. */
    record Row(SpanData span, int depth) {}

    void print() {
        for (Row row : rows()) {
            System.out.println("  ".repeat(row.depth) + row.span.getName() + " (" + row.span.getKind() + ")");
        }
        long traces = spans.stream().map(SpanData::getTraceId).distinct().count();
        System.out.println(spans.size() + " spans, " + traces + (traces == 1 ? " trace" : " traces"));
    }

    /** From top to bottom. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        addChildrenOf(SpanId.getInvalid(), 0, rows);
        return rows;
    }

    private void addChildrenOf(String parent, int depth, List<Row> rows) {
        spans.stream()
                .filter(span -> span.getParentSpanId().equals(parent))
                .sorted(Comparator.comparing(SpanData::getStartEpochNanos))
                .forEach(span -> {
                    rows.add(new Row(span, depth));
                    addChildrenOf(span.getSpanId(), depth + 1, rows);
                });
    }
}
