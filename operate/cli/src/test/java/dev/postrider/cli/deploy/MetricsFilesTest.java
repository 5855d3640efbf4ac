package dev.postrider.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alerts and dashboard ask only for metrics that there are, by labels that these have. */
class MetricsFilesTest {

    private static final KnownMetrics KNOWN = KnownMetrics.read();
    private static final DeployFile RULES = DeployFile.of("prometheus-rules.yaml");
    private static final DeployFile DASHBOARD = DeployFile.of("grafana-dashboard.json");

    private static final Pattern GROUPED = Pattern.compile("by \\(([a-z_, ]+)\\)");
    private static final Pattern SELECTED = Pattern.compile("[{,]\\s*([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?([a-z_]+)\\s*}}");

    /** An expression and the texts that show its labels. */
    private record Query(String expression, String texts) {
        Set<String> grouped() {
            return GROUPED.matcher(expression)
                    .results()
                    .flatMap(found -> Stream.of(found.group(1).split(", ")))
                    .collect(Collectors.toSet());
        }
    }

    static Stream<Query> queries() {
        Stream<Query> alerts = ((List<?>) RULES.at("groups.0.rules"))
                .stream()
                        .map(Map.class::cast)
                        .map(rule ->
                                new Query(String.valueOf(rule.get("expr")), String.valueOf(rule.get("annotations"))));
        Stream<Query> panels = DASHBOARD.under("targets").stream()
                .flatMap(targets -> ((List<?>) targets).stream())
                .map(Map.class::cast)
                .map(target ->
                        new Query(String.valueOf(target.get("expr")), String.valueOf(target.get("legendFormat"))));
        return Stream.concat(alerts, panels);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void asksForMetricsAndLabelsThatThereAre(Query query) {
        Set<String> names = KnownMetrics.namesIn(query.expression());

        assertThat(names).isNotEmpty().isSubsetOf(KNOWN.names());
        for (String name : names) {
            Set<String> labels = KNOWN.labelsOf(name);
            assertThat(labels).as(name).containsAll(query.grouped());
            assertThat(SELECTED.matcher(query.expression()).results().map(found -> found.group(1)))
                    .as(name)
                    .allMatch(labels::contains);
        }
    }

    @ParameterizedTest
    @MethodSource("queries")
    void showsOnlyLabelsThatItsResultHas(Query query) {
        assertThat(SHOWN.matcher(query.texts()).results().map(found -> found.group(1)))
                .allMatch(query.grouped()::contains);
    }

    @Test
    void offersOnlyOutboxesThatAreMeasured() {
        assertThat(KnownMetrics.namesIn(String.valueOf(DASHBOARD.at("templating.list.1.query"))))
                .isNotEmpty()
                .isSubsetOf(KNOWN.names());
    }

    @Test
    void explainsEveryAlertAndNoOther() throws IOException {
        String guide = Files.readString(DeployFile.DIRECTORY.resolveSibling("docs/guides/monitoring.md"));
        Set<String> explained = Pattern.compile("(?m)^\\| `(Postrider\\w+)` \\|")
                .matcher(guide)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(RULES.under("alert")).isNotEmpty().doesNotHaveDuplicates();
        assertThat(explained).isEqualTo(Set.copyOf(RULES.under("alert")));
        assertThat(KnownMetrics.namesIn(guide)).isSubsetOf(KNOWN.names());
    }

    @Test
    void givesEachPanelAnIdAndAPlaceOfItsOwn() {
        Map<Object, Object> places = new LinkedHashMap<>();
        for (Object panel : (List<?>) DASHBOARD.at("panels")) {
            Map<?, ?> fields = (Map<?, ?>) panel;
            Map<?, ?> place = (Map<?, ?>) fields.get("gridPos");
            assertThat(places.put(fields.get("id"), place.get("x") + "/" + place.get("y")))
                    .isNull();
        }
        assertThat(places.values()).doesNotHaveDuplicates();
    }
}
