package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.options.Environment;
import dev.postrider.cli.output.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsHelpWithExamples() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Examples:", "postrider demo", "--version");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void printsHelpOfACommandWithDefaultsAndRanges() {
        assertThat(run("demo", "--help")).isZero();
        assertThat(out.toString())
                .contains("--orders=N", "Default: 10000", "1 to 1000000")
                .contains("--relays=R", "Default: 3", "2 to 16")
                .contains("--headless", "Examples:");
    }

    @Test
    void printsTheVersionThatTheBuildGave() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("postrider \\d+\\.\\d+.*\\R").doesNotContain("$");
    }

    @ParameterizedTest
    @CsvSource({"sned, send", "dead lsit, list", "demo --ordres 5, --orders"})
    void suggestsTheNearestCommandOrOption(String arguments, String meant) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("Did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({
        "demo --orders 0, '--orders is 0, expected 1 to 1000000'",
        "demo --relays 1, '--relays is 1, expected 2 to 16'",
        "demo --orders many, many",
        "demo --bad, --bad",
        "deom, deom",
        "'', No command is given",
    })
    void refusesWrongUseWithAReasonAndWithoutAStackTrace(String arguments, String reason) {
        String[] split = arguments.isEmpty() ? new String[0] : arguments.split(" ");

        assertThat(run(split)).isEqualTo(2);
        assertThat(err.toString()).contains(reason).contains("--help'").doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void givesNoOrdersToATerminal() {
        String escape = String.valueOf((char) 27);

        assertThat(run("status", "--url", "jdbc:h2:mem:x", "--prefix", "a" + escape + "[31m"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("\\u001B[31m").doesNotContain(escape);
    }

    @Test
    void endsWhenNobodyReadsWhatItPrints() {
        PrintWriter closed = new PrintWriter(Writer.nullWriter());
        closed.close();
        closed.print("refused");

        int code = Main.run(
                new Environment(Map.of()), closed, new PrintWriter(err, true), "schema", "print", "--dialect", "h2");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .contains("Cannot write to standard output any more")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({"Broken pipe, ''", "No space left on device, Cannot write to standard output any more"})
    void isSilentOnlyWhenItsReaderHasEnded(String problem, String told) {
        StandardOutput lost = StandardOutput.of(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(problem);
            }
        });

        int code = Main.run(
                new Environment(Map.of()), lost, new PrintWriter(err, true), "schema", "print", "--dialect", "h2");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains(told);
        assertThat(err.toString().isEmpty()).isEqualTo(told.isEmpty());
    }

    @Test
    void refusesALogLevelThatDoesNotExist() {
        Environment verbose = new Environment(Map.of("POSTRIDER_LOG", "verbose"));
        int code = Main.run(verbose, new PrintWriter(out, true), new PrintWriter(err, true), "schema", "print");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("POSTRIDER_LOG is 'verbose', expected one of trace, debug, info, warn, error, off");
    }

    @Test
    void refusesALogFormatThatDoesNotExist() {
        Environment xml = new Environment(Map.of("POSTRIDER_LOG_FORMAT", "xml"));
        int code = Main.run(xml, new PrintWriter(out, true), new PrintWriter(err, true), "schema", "print");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("POSTRIDER_LOG_FORMAT is 'xml', expected one of text, json, ecs");
    }

    private int run(String... arguments) {
        return Main.run(new Environment(Map.of()), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
