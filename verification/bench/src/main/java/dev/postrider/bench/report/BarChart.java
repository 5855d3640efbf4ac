package dev.postrider.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars as SVG, by hand: some rectangles and texts need no library. Readable on light and dark pages.
 *
 * @param unit what the values are
 */
record BarChart(String title, String unit, List<Bar> bars) {

    private static final int WIDTH = 900;
    private static final int LABELS = 380;
    private static final int LONGEST = 400;
    private static final int ROW = 22;
    private static final int TOP = 44;
    private static final List<String> COLOURS = List.of("#2f6f9f", "#c26a2d", "#4c8c4a", "#8a5a9e");

    /**
     * One bar.
     *
     * @param series bars of one series have one colour
     */
    record Bar(String label, double value, String series) {}

    String svg() {
        List<String> series = bars.stream().map(Bar::series).distinct().toList();
        double largest = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        List<String> parts = new ArrayList<>();
        parts.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"12\">"
                        .formatted(WIDTH, TOP + ROW * bars.size() + 10));
        parts.add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        parts.add("<text x=\"10\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s</text>"
                .formatted(text(title + ", " + unit)));
        for (int i = 0; i < bars.size(); i++) {
            parts.add(bar(
                    bars.get(i),
                    TOP + ROW * i,
                    largest,
                    COLOURS.get(series.indexOf(bars.get(i).series()) % COLOURS.size())));
        }
        parts.add("</svg>");
        return String.join("\n", parts) + "\n";
    }

    private static String bar(Bar bar, int y, double largest, String colour) {
        double length = largest == 0 ? 0 : LONGEST * bar.value() / largest;
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                        + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                        + "<text x=\"%.1f\" y=\"%d\">%s</text>",
                LABELS - 6,
                y + 13,
                text(bar.label()),
                LABELS,
                y,
                length,
                ROW - 5,
                colour,
                LABELS + length + 5,
                y + 13,
                Figure.of(bar.value()));
    }

    private static String text(String plain) {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
