package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.List;
import java.util.stream.Collectors;

/** What tells the lines of one scenario apart. Stateless. */
final class Variant {

    private static final List<String> FIGURES = List.of(
            "load",
            "offered_rate",
            "producers",
            "messages_per_transaction",
            "lanes",
            "workers",
            "batch_size",
            "bytes",
            "relays",
            "broker",
            "keys",
            "audit",
            "backlog",
            "dead_rows",
            "heap_mb");

    private Variant() {}

    /** Such as {@code producers 4, messages per transaction 10}; may be empty. */
    static String of(Result result) {
        return FIGURES.stream()
                .filter(result::has)
                .map(figure -> figure.replace('_', ' ') + " " + result.text(figure))
                .collect(Collectors.joining(", "));
    }
}
