package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A figure that matters, and what it was wanted to be.
 *
 * @param what it is, for people
 * @param scenario whose results tell it
 * @param lines which of them
 * @param figure the field that tells it
 * @param isCeiling whether it is wanted to be no larger; else no smaller
 * @param wanted by store; a store without an entry has no target
 */
record Target(
        String what,
        String scenario,
        Predicate<Result> lines,
        String figure,
        boolean isCeiling,
        Map<String, Double> wanted) {

    /** What was reached at a store, in bold what misses the target; empty if it was not measured there. */
    String reached(List<Result> results, String store) {
        return results.stream()
                .filter(result -> result.text("scenario").equals(scenario))
                .filter(result -> result.text("store").equals(store) && result.has(figure))
                .filter(lines)
                .map(result -> cell(result.number(figure), store))
                .collect(Collectors.joining(", "));
    }

    private String cell(double value, String store) {
        String text = Figure.of(value);
        return isMissed(value, store) ? "**" + text + "**" : text;
    }

    private boolean isMissed(double value, String store) {
        Double limit = wanted.get(store);
        return limit != null && (isCeiling ? value > limit : value < limit);
    }

    /** Such as {@code ≥ 3 (postgres), ≥ 2 (mysql)}. */
    String wantedText() {
        String sign = isCeiling ? "≤ " : "≥ ";
        Map<Double, List<String>> byLimit = wanted.keySet().stream()
                .sorted(Comparator.comparing(FigureTables.STORES::indexOf))
                .collect(Collectors.groupingBy(wanted::get, LinkedHashMap::new, Collectors.toList()));
        return byLimit.entrySet().stream()
                .map(limit -> sign + Figure.of(limit.getKey()) + " (" + String.join(", ", limit.getValue()) + ")")
                .collect(Collectors.joining("; "));
    }
}
