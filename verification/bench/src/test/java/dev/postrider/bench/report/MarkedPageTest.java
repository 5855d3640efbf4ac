package dev.postrider.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkedPageTest {

    @TempDir
    private Path directory;

    @Test
    void writesTargetsAndWhatWasReachedByStore() throws IOException {
        assertThat(updated("targets", drain("mysql", 0.75, "old"), drain("postgres", 0.5, "old")))
                .contains("| What | Wanted | postgres | mysql |\n")
                .contains("| drain, against the JDBC loop | ≥ 0.60 (postgres, mysql) | **0.50** | 0.75 |\n")
                .doesNotContain("RabbitMQ", "old table")
                .startsWith("Before\n<!-- figures: targets -->\n\n| What")
                .endsWith("\n\n<!-- end of figures -->\nAfter\n");
    }

    @Test
    void takesOnlyTheNewestRunOfAScenario() throws IOException {
        assertThat(updated("targets", drain("postgres", 0.5, "first"), drain("postgres", 0.9, "second")))
                .contains("| 0.90 |")
                .doesNotContain("0.50 |");
    }

    @Test
    void keepsRunsWithOtherPayloadsApart() throws IOException {
        assertThat(updated("targets", kafka(0.7, 1024), kafka(0.4, 512)))
                .contains("| Kafka, against the bare client | ≥ 0.65 (postgres, mysql, mariadb) | 0.70 |\n")
                .contains("| … with 512 bytes | ≥ 0.50 (postgres, mysql, mariadb) | **0.40** |\n");
    }

    @Test
    void saysByHowMuchPostriderIsFasterThanEachPeer() throws IOException {
        Result peer = of("peers", "postgres", Measurement.of("gruelbox", 1_000, 10, 10), "run");
        Result own = of(
                "peers", "postgres", Measurement.of("postrider", 50_000, 10, 10).comparedWith(50, "gruelbox"), "run");
        assertThat(updated("peers", peer, own))
                .contains("| `gruelbox` | 1,000 | 50.0 |\n")
                .contains("| `postrider` | 50,000 |  |\n");
    }

    @Test
    void refusesAPageWithoutTablesAndATableThatIsUnknown() {
        assertThatThrownBy(() -> updated("wishes")).hasMessageContaining("wants the figures 'wishes'");
        assertThatThrownBy(() -> updated("no word")).hasMessageContaining("has no table between");
    }

    private String updated(String table, Result... results) throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(
                page, "Before\n<!-- figures: %s -->\nold table\n<!-- end of figures -->\nAfter\n".formatted(table));
        MarkedPage.update(page, List.of(results));
        return Files.readString(page);
    }

    private static Result drain(String store, double ratio, String checkpoint) {
        return of(
                "drain", store, Measurement.of("postrider", 100, 10, 10).comparedWith(ratio, "jdbc-loop"), checkpoint);
    }

    private static Result kafka(double ratio, int bytes) {
        Measurement line = Measurement.of("postrider", 100, 10, 10).comparedWith(ratio, "bare-client");
        return of("kafka", "postgres", line, "kafka postgres messages=10 bytes=%d rounds=5".formatted(bytes));
    }

    private static Result of(String scenario, String store, Measurement line, String checkpoint) {
        return Result.of(scenario, store, line)
                .with(Journal.CHECKPOINT, checkpoint)
                .with("cpu", "a processor");
    }
}
