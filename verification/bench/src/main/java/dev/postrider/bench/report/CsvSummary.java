package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** All results as one table, a column for each field that any of them has. Stateless. */
final class CsvSummary {

    private CsvSummary() {}

    static List<String> lines(List<Result> results) {
        Set<String> columns = new LinkedHashSet<>(Result.COMMON);
        results.forEach(result -> columns.addAll(result.fields().keySet()));
        List<String> lines = new ArrayList<>(List.of(row(columns)));
        for (Result result : results) {
            lines.add(row(columns.stream().map(result::text).toList()));
        }
        return lines;
    }

    private static String row(Collection<String> cells) {
        return cells.stream().map(CsvSummary::cell).collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        return text.matches("(?s).*[,\"\\r\\n].*") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
