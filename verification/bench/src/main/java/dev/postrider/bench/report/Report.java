package dev.postrider.bench.report;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes {@code summary.csv}, {@code report.md} and a plot for each scenario. Stateless. */
public final class Report {

    private Report() {}

    /** Replaces the report in this directory. */
    public static void write(Path directory, List<Result> results) {
        Map<String, List<Result>> byScenario = results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.text("scenario"), LinkedHashMap::new, Collectors.toList()));
        try {
            Files.write(directory.resolve("summary.csv"), CsvSummary.lines(results));
            Files.write(directory.resolve("report.md"), MarkdownReport.lines(byScenario));
            for (Map.Entry<String, List<Result>> scenario : byScenario.entrySet()) {
                BarChart plot = ScenarioPlot.of(scenario.getKey(), scenario.getValue());
                Files.writeString(directory.resolve(scenario.getKey() + ".svg"), plot.svg());
            }
            Files.writeString(
                    directory.resolve("usage.svg"),
                    ScenarioPlot.ofProcessors(headlines(results)).svg());
        } catch (IOException failed) {
            throw new BenchException("Could not write the report into " + directory, failed);
        }
    }

    /** One line for each scenario and store is enough to see what was saturated: the last, which is Postrider's. */
    private static List<Result> headlines(List<Result> results) {
        Map<String, Result> last = new LinkedHashMap<>();
        results.forEach(result -> last.put(result.text("scenario") + " " + result.text("store"), result));
        return List.copyOf(last.values());
    }

    /** All results as one table, a column for each field that any of them has. Stateless. */
    private static final class CsvSummary {

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
}
