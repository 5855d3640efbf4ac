package dev.postrider.cli.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The metrics of docs/reference/metrics.md as Prometheus spells them, each with its labels. */
final class KnownMetrics {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(postrider[a-z.]+)` \\| ([a-z, ]+) \\| ([a-z, -]+) \\|");
    private static final Pattern NAME = Pattern.compile("postrider_[a-z_]+");

    private final Map<String, Set<String>> labels = new HashMap<>();

    private KnownMetrics() {}

    static KnownMetrics read() {
        KnownMetrics known = new KnownMetrics();
        try {
            String page = Files.readString(DeployFile.DIRECTORY.resolveSibling("docs/reference/metrics.md"));
            ROW.matcher(page)
                    .results()
                    .forEach(row -> known.add(row.group(1).replace('.', '_'), row.group(2), row.group(3)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return known;
    }

    private void add(String name, String kind, String tags) {
        Set<String> own = new HashSet<>(Set.of("outbox", "instance", "job"));
        own.addAll(List.of(tags.replace("-", "").split(", ")));
        if (name.startsWith("postrider_receiver_")) {
            own.remove("outbox");
            own.add("receiver");
        }
        for (String suffix : suffixes(kind)) {
            labels.put(name + suffix, own);
        }
        if (kind.equals("timer")) {
            Set<String> withBound = new HashSet<>(own);
            withBound.add("le");
            labels.put(name + "_seconds_bucket", withBound);
        }
    }

    private static List<String> suffixes(String kind) {
        return switch (kind) {
            case "counter" -> List.of("_total");
            case "gauge" -> List.of("");
            case "gauge, time" -> List.of("_seconds");
            case "timer" -> List.of("_seconds_count", "_seconds_sum", "_seconds_max");
            case "summary" -> List.of("_count", "_sum", "_max");
            default -> throw new IllegalStateException("Unknown kind " + kind);
        };
    }

    Set<String> names() {
        return labels.keySet();
    }

    /** The metrics in a text. */
    static Set<String> namesIn(String text) {
        return NAME.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    Set<String> labelsOf(String name) {
        return labels.getOrDefault(name, Set.of());
    }
}
