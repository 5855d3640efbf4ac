package dev.postrider.bench.report;

import java.util.Locale;

/** Numbers for people, with three digits that matter. Stateless. */
final class Figure {

    private Figure() {}

    static String of(Number number) {
        double value = number.doubleValue();
        if (value >= 100 || number instanceof Long || number instanceof Integer) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (value > 0 && value < 0.1) {
            return String.format(Locale.ROOT, "%.2g", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }
}
