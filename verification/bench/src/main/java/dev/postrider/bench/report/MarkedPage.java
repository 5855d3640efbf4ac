package dev.postrider.bench.report;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page for people with tables that are written from results: each stands between {@code <!-- figures: targets -->} and
 * {@code <!-- end of figures -->}. Everything else of the page stays as it is. Stateless.
 */
public final class MarkedPage {

    private static final Map<String, Function<List<Result>, List<String>>> TABLES =
            Map.of("targets", FigureTables::targets, "peers", FigureTables::peers);
    private static final Pattern MARKED =
            Pattern.compile("(<!-- figures: (\\w+) -->\\n).*?(<!-- end of figures -->)", Pattern.DOTALL);

    private MarkedPage() {}

    /**
     * Rewrites the tables of a page.
     *
     * @throws BenchException if it has none, or one that is not known
     */
    public static void update(Path page, List<Result> results) {
        try {
            Files.writeString(page, updated(page, Files.readString(page), results));
        } catch (IOException failed) {
            throw new BenchException("Could not write the figures into " + page, failed);
        }
    }

    private static String updated(Path page, String text, List<Result> results) {
        Matcher marked = MARKED.matcher(text);
        if (!marked.find()) {
            throw new BenchException(
                    "%s has no table between <!-- figures: … --> and <!-- end of figures -->. Known are %s"
                            .formatted(page, TABLES.keySet()));
        }
        return marked.replaceAll(found ->
                Matcher.quoteReplacement(found.group(1) + table(page, found.group(2), results) + found.group(3)));
    }

    private static String table(Path page, String name, List<Result> results) {
        Function<List<Result>, List<String>> table = TABLES.get(name);
        if (table == null) {
            throw new BenchException("%s wants the figures '%s'. Known are %s".formatted(page, name, TABLES.keySet()));
        }
        return "\n" + String.join("\n", table.apply(results)) + "\n\n";
    }
}
