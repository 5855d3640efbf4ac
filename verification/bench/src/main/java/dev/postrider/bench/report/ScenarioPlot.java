package dev.postrider.bench.report;

import static java.util.Objects.requireNonNull;

import dev.postrider.bench.measure.Result;
import dev.postrider.bench.report.BarChart.Bar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The plot of one scenario: rates, or what the scenario is about instead. Stateless. */
final class ScenarioPlot {

    private static final List<String> DELAYS = List.of("p50_ms", "p95_ms", "p99_ms");
    private static final Map<String, String> UNITS = Map.of(
            "rate", "messages per second",
            "p50_ms", "milliseconds",
            "microseconds_per_message", "microseconds per message fetched");

    private ScenarioPlot() {}

    static BarChart of(String scenario, List<Result> results) {
        List<String> fields = fields(scenario);
        List<Bar> bars = new ArrayList<>();
        for (Result result : results) {
            for (String field : fields) {
                if (result.has(field)) {
                    bars.add(new Bar(
                            label(result, fields.size() > 1 ? field : ""),
                            result.number(field),
                            series(result, fields, field)));
                }
            }
        }
        return new BarChart(scenario, requireNonNull(UNITS.get(fields.get(0))), bars);
    }

    /** How many processors client, database and broker used, whatever was measured. */
    static BarChart ofProcessors(List<Result> results) {
        List<Bar> bars = new ArrayList<>();
        for (Result result : results) {
            for (String role : List.of("client", "database", "broker")) {
                if (result.has(role + UsageCells.CPU)) {
                    String label = result.text("scenario") + " " + label(result, role);
                    bars.add(new Bar(label, result.number(role + UsageCells.CPU), role));
                }
            }
        }
        return new BarChart("usage", "processors used", bars);
    }

    private static List<String> fields(String scenario) {
        return switch (scenario) {
            case "mixed" -> DELAYS;
            case "backlog", "dead-rows" -> List.of("microseconds_per_message");
            default -> List.of("rate");
        };
    }

    private static String label(Result result, String field) {
        return String.join(
                        " ",
                        List.of(
                                result.text("store"),
                                result.text("subject"),
                                Variant.of(result),
                                field.replace("_ms", "")))
                .strip()
                .replaceAll(" +", " ");
    }

    private static String series(Result result, List<String> fields, String field) {
        return fields.size() > 1 ? field : result.text("subject");
    }
}
