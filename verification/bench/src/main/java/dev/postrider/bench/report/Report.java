package dev.postrider.bench.report;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
}
