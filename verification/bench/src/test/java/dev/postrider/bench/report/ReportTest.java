package dev.postrider.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private static final Machine MACHINE =
            new Machine("postrider 1", "abc123-dirty", "Java 17", "Linux", "a \"fast\", new one", 2, 4096);
    private static final Result LOOP = Result.of("drain", "postgres", Measurement.of("jdbc-loop", 20_000, 100, 100));
    private static final Result RELAY = Result.of(
            "drain",
            "postgres",
            Measurement.of("postrider", 15_000, 100, 100)
                    .comparedWith(0.75, "jdbc-loop")
                    .with("client_cpu", 0.9)
                    .with("client_rss_mb", 180)
                    .with("database_cpu", 1.05)
                    .with("database_rss_mb", 410));
    private static final Result MIXED = Result.of(
            "mixed",
            "mysql",
            Measurement.of("postrider", 1_000, 50, 50)
                    .with("offered_rate", 1_000)
                    .with("p50_ms", 1.25)
                    .with("p99_ms", 8.5));

    @TempDir
    private Path directory;

    @Test
    void goesOnAfterTheLastScenarioThatEnded() {
        Journal interrupted = Journal.begin(directory);
        interrupted.add("drain postgres", List.of(LOOP, RELAY), MACHINE);

        Journal resumed = Journal.resume(directory);
        assertThat(resumed.finished()).containsExactly("drain postgres");
        resumed.add("mixed mysql", List.of(MIXED), MACHINE);

        assertThat(Journal.resume(directory).finished()).containsExactlyInAnyOrder("drain postgres", "mixed mysql");
        assertThat(Journal.resume(directory).results())
                .hasToString(resumed.results().toString());
    }

    @Test
    void resumesWhereNothingIs() {
        assertThat(Journal.resume(directory.resolve("new")).finished()).isEmpty();
    }

    @Test
    void forgetsOldResultsWhenBegunAnew() {
        Journal.begin(directory).add("drain postgres", List.of(LOOP), MACHINE);
        Journal fresh = Journal.begin(directory);
        fresh.add("mixed mysql", List.of(MIXED), MACHINE);
        assertThat(Journal.resume(directory).finished()).containsExactly("mixed mysql");
    }

    @Test
    void saysWhatToDoAboutAFileThatIsNoJournal() throws IOException {
        Files.writeString(directory.resolve("results.jsonl"), "{\"scenario\":");
        assertThatThrownBy(() -> Journal.resume(directory))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("Leave out --resume");
    }

    @Test
    void writesTheSummaryWithMetadataInEveryLine() throws IOException {
        List<String> lines = Files.readAllLines(written().resolve("summary.csv"));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("scenario,store,subject,rate,ratio,ratio_to,offered_rate,p50_ms");
        assertThat(lines.get(2))
                .startsWith("drain,postgres,postrider,15000.0,0.75,jdbc-loop,,,,,,100,100")
                .contains("abc123-dirty", "\"a \"\"fast\"\", new one\"", "4096");
    }

    @Test
    void writesATableAndAPlotForEachScenario() throws IOException {
        assertThat(written().resolve("report.md"))
                .content()
                .contains("## drain", "![drain](drain.svg)", "| postgres | postrider |  | 15,000 | 0.75 | jdbc-loop |")
                .contains("## mixed", "| mysql | postrider | offered rate 1000 | 1,000 | 1.25 | 8.50 |")
                .contains("commit abc123-dirty");
        assertThat(directory.resolve("drain.svg"))
                .content()
                .startsWith("<svg")
                .contains("postgres jdbc-loop", "15,000");
        assertThat(directory.resolve("report.md"))
                .content()
                .contains("CPU: client / database / broker", "| 0.90 / 1.05 | 180 / 410 |");
        assertThat(directory.resolve("usage.svg"))
                .content()
                .contains("processors used", "drain postgres postrider database", "1.05");
        assertThat(directory.resolve("mixed.svg")).content().contains("milliseconds", "p99");
    }

    private Path written() {
        Journal journal = Journal.begin(directory);
        journal.add("drain postgres", List.of(LOOP, RELAY), MACHINE);
        journal.add("mixed mysql", List.of(MIXED), MACHINE);
        Report.write(directory, journal.results());
        return directory;
    }
}
