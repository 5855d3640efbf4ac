package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {

    @TempDir
    private Path directory;

    private final Shell shell = new Shell();

    @Test
    void printsOneObjectForEachSubjectAndRepeatsNothingWhenResumed() {
        String[] words = {
            "bench",
            "drain",
            "--store",
            "h2",
            "--messages",
            "100",
            "--rounds",
            "1",
            "--output",
            "json",
            "--report",
            directory.toString(),
            "--resume"
        };
        assertThat(shell.run(words)).as(shell.err()).isZero();
        assertThat(shell.lines())
                .extracting(line -> line.replaceFirst(".*\"subject\":\"([^\"]+)\".*", "$1"))
                .containsExactly("jdbc-loop", "postrider", "tracing-off", "tracing-sampled");
        assertThat(shell.lines().get(1))
                .startsWith("{\"scenario\":\"drain\",\"store\":\"h2\",\"subject\":\"postrider\",\"rate\":")
                .contains("\"ratio_to\":\"jdbc-loop\",\"messages\":100,\"delivered\":100");
        assertThat(directory).isDirectoryContaining("glob:**report.md");

        assertThat(shell.run(words)).isZero();
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains("drain on h2 is finished already");
    }

    @Test
    void writesTheReportAndTablesOfPagesAnewWithoutMeasuring() throws IOException {
        String[] measuring = {
            "bench", "drain", "--store", "h2", "--messages", "100", "--rounds", "1", "--report", directory.toString()
        };
        assertThat(shell.run(measuring)).as(shell.err()).isZero();
        Path page = directory.resolve("page.md");
        Files.writeString(page, "<!-- figures: targets -->\n<!-- end of figures -->");
        assertThat(shell.run("bench", "--resume", "--report", directory.toString(), "--figures", page.toString()))
                .as(shell.err())
                .isZero();
        assertThat(page).content().contains("| drain, against the JDBC loop |");
    }

    @Test
    void asksForAnAddressBecauseItStartsNoServers() {
        assertThat(shell.run("bench", "drain", "--store", "postgres")).isEqualTo(2);
        assertThat(shell.err()).contains("This program starts none, give an address such as jdbc:postgresql://");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(shell.run("bench")).isEqualTo(2);
        assertThat(shell.err()).contains("Which scenario?");
        assertThat(shell.run("bench", "drian", "--store", "h2")).isEqualTo(2);
        assertThat(shell.err()).contains("no scenario 'drian'");
        assertThat(shell.run("bench", "drain", "--store", "h2", "--messages", "0"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("messages is 0, expected 10 or more");
        assertThat(shell.run("bench", "drain", "--store", "h2", "--resume")).isEqualTo(2);
    }

    @Test
    void listsTheScenarios() {
        assertThat(shell.run("bench", "--list")).isZero();
        assertThat(shell.lines())
                .anyMatch(line -> line.startsWith("enqueue "))
                .anyMatch(line -> line.startsWith("nats "));
    }
}
