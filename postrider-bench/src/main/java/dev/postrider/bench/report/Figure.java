package dev.postrider.bench.report;

import java.util.Locale;

/** Numbers for people, with three digits that matter. Stateless. */
final class Figure {

    private Figure() {}

    static String of(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }
}
