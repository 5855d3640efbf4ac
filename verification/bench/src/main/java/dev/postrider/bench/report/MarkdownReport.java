package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All results for people: where they were measured, and a table and a plot for each scenario. Stateless. */
final class MarkdownReport {

    private static final Map<String, String> COLUMNS = columns();

    private MarkdownReport() {}

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("rate", "Messages/s");
        columns.put("ratio", "Ratio");
        columns.put("ratio_to", "to");
        columns.put("p50_ms", "p50 ms");
        columns.put("p95_ms", "p95 ms");
        columns.put("p99_ms", "p99 ms");
        columns.put("max_ms", "max ms");
        columns.put("max_lag", "Largest lag");
        columns.put("producer_slowdown", "Producer slowdown");
        columns.put("ratio_to_batched", "Ratio to batched");
        columns.put("tracing_cost", "Tracing cost");
        columns.put("microseconds_per_message", "µs/message");
        columns.put("megabytes_per_second", "MB/s");
        columns.put(UsageCells.CPU, "CPU: " + UsageCells.ROLES);
        columns.put(UsageCells.MEMORY, "MB: " + UsageCells.ROLES);
        columns.put("scale", "Scale");
        columns.put("delivered", "Delivered");
        return columns;
    }

    static List<String> lines(Map<String, List<Result>> byScenario) {
        List<String> lines = new ArrayList<>(List.of(
                "# Measured",
                "",
                "Written by `postrider bench --report`; [README](README.md) says how and what it means. All figures with their"
                        + " metadata: [summary.csv](summary.csv), [results.jsonl](results.jsonl).",
                ""));
        byScenario.forEach((scenario, results) -> {
            lines.addAll(List.of("## " + scenario, "", "![%1$s](%1$s.svg)".formatted(scenario), ""));
            lines.addAll(table(results));
            lines.addAll(List.of("", origin(results), ""));
        });
        return lines;
    }

    private static List<String> table(List<Result> results) {
        List<String> used = COLUMNS.keySet().stream()
                .filter(column -> results.stream()
                        .anyMatch(result -> !cell(result, column).isEmpty()))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add("| Store | Subject | Variant | "
                + String.join(" | ", used.stream().map(COLUMNS::get).toList()) + " |");
        lines.add("|---|---|---|" + "---:|".repeat(used.size()));
        for (Result result : results) {
            List<String> cells =
                    new ArrayList<>(List.of(result.text("store"), result.text("subject"), Variant.of(result)));
            used.forEach(column -> cells.add(cell(result, column)));
            lines.add("| " + String.join(" | ", cells) + " |");
        }
        return lines;
    }

    private static String cell(Result result, String column) {
        if (UsageCells.COLUMNS.contains(column)) {
            return UsageCells.of(result, column);
        }
        return result.fields().get(column) instanceof Number number ? Figure.of(number) : result.text(column);
    }

    /** Where the lines come from; each combination once. */
    private static String origin(List<Result> results) {
        return String.join(
                "  \n", results.stream().map(MarkdownReport::origin).distinct().toList());
    }

    private static String origin(Result result) {
        return "%s; %s; commit %s; %s, %s processors, %s MB; %s"
                .formatted(
                        result.text("server"),
                        result.text("checkpoint"),
                        result.text("commit"),
                        result.text("cpu"),
                        result.text("processors"),
                        result.text("memory_mb"),
                        result.text("java"));
    }
}
