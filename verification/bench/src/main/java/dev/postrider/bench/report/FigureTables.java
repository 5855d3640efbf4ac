package dev.postrider.bench.report;

import dev.postrider.bench.measure.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures that pages for people quote, as tables in Markdown. Stateless. */
final class FigureTables {

    static final List<String> STORES = List.of("postgres", "mysql", "mariadb", "tidb", "h2");

    private static final Pattern BYTES = Pattern.compile(" bytes=\\d+ ");

    private FigureTables() {}

    /** What was wanted and what was reached, a column for each database; and where that was. */
    static List<String> targets(List<Result> all) {
        List<Result> results = newest(all);
        List<String> stores = stores(results);
        List<String> lines = new ArrayList<>(List.of(
                row(Stream.concat(Stream.of("What", "Wanted"), stores.stream())),
                "|---|---|" + "---:|".repeat(stores.size())));
        for (Target target : Targets.ALL) {
            List<String> cells =
                    stores.stream().map(store -> target.reached(results, store)).toList();
            if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                lines.add(row(Stream.concat(Stream.of(target.what(), target.wantedText()), cells.stream())));
            }
        }
        lines.addAll(List.of("", "Bold is what was not reached. " + origin(results)));
        return lines;
    }

    /** The rate of each peer, and how many times as fast Postrider is, for each database. */
    static List<String> peers(List<Result> all) {
        List<Result> results = newest(all).stream()
                .filter(result -> result.text("scenario").equals("peers") && !result.has("not_run"))
                .toList();
        List<String> stores = stores(results);
        List<String> lines = new ArrayList<>(List.of(
                row(Stream.concat(
                        Stream.of("Subject"),
                        stores.stream().flatMap(store -> Stream.of(store + ", messages/s", "Postrider is faster by")))),
                "|---|" + "---:|---:|".repeat(stores.size())));
        for (String subject : distinct(results, "subject")) {
            lines.add(row(Stream.concat(
                    Stream.of("`" + subject + "`"),
                    stores.stream().flatMap(store -> peerCells(results, subject, store)))));
        }
        lines.addAll(List.of("", origin(results)));
        return lines;
    }

    private static Stream<String> peerCells(List<Result> results, String subject, String store) {
        List<Result> own = results.stream()
                .filter(result -> result.text("store").equals(store))
                .toList();
        return Stream.of(
                first(own, "subject", subject, "rate"),
                subject.equals("postrider") ? "" : first(own, "ratio_to", subject, "ratio"));
    }

    private static String first(List<Result> results, String field, String value, String figure) {
        return results.stream()
                .filter(result -> result.text(field).equals(value))
                .map(result -> Figure.of(result.number(figure)))
                .findFirst()
                .orElse("");
    }

    /** Of each scenario, store and length of payloads only what was measured last: a journal may hold more than one run of it. */
    private static List<Result> newest(List<Result> results) {
        Map<String, String> last = new LinkedHashMap<>();
        results.forEach(result -> last.put(run(result), result.text(Journal.CHECKPOINT)));
        return results.stream()
                .filter(result -> result.text(Journal.CHECKPOINT).equals(last.get(run(result))))
                .toList();
    }

    private static String run(Result result) {
        Matcher bytes = BYTES.matcher(result.text(Journal.CHECKPOINT));
        return result.text("scenario") + " " + result.text("store") + (bytes.find() ? bytes.group() : "");
    }

    private static List<String> stores(List<Result> results) {
        Set<String> found = new LinkedHashSet<>(STORES);
        found.retainAll(distinct(results, "store"));
        return List.copyOf(found);
    }

    /** Machine, versions, and whether little time was spent; each once. */
    private static String origin(List<Result> results) {
        boolean isQuick = results.stream()
                .anyMatch(result -> result.text(Journal.CHECKPOINT).contains("quick=true"));
        return "%s, %s processors, %s MB; Java %s; %s; commit %s; %s%s"
                .formatted(
                        listed(results, "cpu"),
                        listed(results, "processors"),
                        listed(results, "memory_mb"),
                        listed(results, "java"),
                        listed(results, "server"),
                        listed(results, "commit"),
                        days(results),
                        isQuick ? "; some with `--quick`" : "");
    }

    private static String days(List<Result> results) {
        return results.stream()
                .map(result -> result.text("measured_at").replaceAll("T.*", ""))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String listed(List<Result> results, String field) {
        return String.join(", ", distinct(results, field));
    }

    private static List<String> distinct(List<Result> results, String field) {
        return results.stream()
                .map(result -> result.text(field))
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    private static String row(Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| ", " |"));
    }
}
