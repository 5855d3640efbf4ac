package dev.postrider.bench.report;

import static java.util.Objects.requireNonNull;

import dev.postrider.bench.measure.Result;
import java.util.List;
import java.util.stream.Collectors;

/** What client, database and broker used, side by side in one cell of a table. Stateless. */
final class UsageCells {

    static final String CPU = "_cpu";
    static final String MEMORY = "_rss_mb";
    static final List<String> COLUMNS = List.of(CPU, MEMORY);
    static final String ROLES = "client / database / broker";

    private UsageCells() {}

    /** Empty if nothing is known. */
    static String of(Result result, String column) {
        return List.of(ROLES.split(" / ")).stream()
                .map(role -> role + column)
                .filter(result::has)
                .map(field -> Figure.of((Number) requireNonNull(result.fields().get(field))))
                .collect(Collectors.joining(" / "));
    }
}
