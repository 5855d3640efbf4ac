package dev.postrider.examples.tracing;

import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Draws the spans of a trace as an SVG image, as tracing tools show them: a bar for each, against the time. */
final class TracePicture {

    private static final int WIDTH = 900;
    private static final int LABELS = 300;
    private static final int ROW = 26;
    private static final int MARGIN = 10;

    private final StringBuilder svg = new StringBuilder();
    private final List<TraceTree.Row> rows;
    private final long start;
    private final long length;

    TracePicture(List<TraceTree.Row> rows) {
        this.rows = rows;
        List<SpanData> spans = rows.stream().map(TraceTree.Row::span).toList();
        this.start =
                spans.stream().mapToLong(SpanData::getStartEpochNanos).min().orElseThrow();
        this.length = spans.stream()
                        .max(Comparator.comparing(SpanData::getEndEpochNanos))
                        .orElseThrow()
                        .getEndEpochNanos()
                - start;
    }

    void write(Path file) throws IOException {
        int height = rows.size() * ROW + 2 * MARGIN;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">",
                WIDTH, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, height);
        for (int i = 0; i < rows.size(); i++) {
            draw(rows.get(i), MARGIN + i * ROW);
        }
        add("</svg>");
        Files.writeString(file, svg);
    }

    private void draw(TraceTree.Row row, int top) {
        SpanData span = row.span();
        int baseline = top + 18;
        add(
                "<text x=\"%d\" y=\"%d\">%s <tspan fill=\"#777\">%s</tspan></text>",
                MARGIN + 16 * row.depth(), baseline, span.getName(), span.getKind());
        double left = x(span.getStartEpochNanos());
        double width = Math.max(2, x(span.getEndEpochNanos()) - left);
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"3\" fill=\"%s\"/>",
                left, top + 4, width, ROW - 8, color(span));
        double millis = (span.getEndEpochNanos() - span.getStartEpochNanos()) / 1e6;
        boolean isAtTheEnd = left + width > WIDTH - 90;
        add(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.1f ms</text>",
                isAtTheEnd ? left - 6 : left + width + 6, baseline, isAtTheEnd ? "end" : "start", millis);
    }

    private double x(long epochNanos) {
        int room = WIDTH - LABELS - MARGIN;
        return LABELS + (double) room * (epochNanos - start) / length;
    }

    private static String color(SpanData span) {
        return switch (span.getKind()) {
            case SERVER -> "#4c78a8";
            case CLIENT, PRODUCER -> "#f58518";
            case CONSUMER -> "#54a24b";
            case INTERNAL -> "#b279a2";
        };
    }

    private void add(String line, Object... values) {
        svg.append(String.format(Locale.ROOT, line, values)).append('\n');
    }
}
