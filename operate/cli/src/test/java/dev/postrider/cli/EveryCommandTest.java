package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.options.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What holds for each command: it explains itself with examples, answers programs, and refuses in a line or two. */
class EveryCommandTest {

    /** Built once: to find out all options of all commands takes longer than everything else here. */
    private static final CommandLine PROGRAM = Main.program(new Environment(Map.of()));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static Stream<List<String>> everyCommand() {
        return OptionSourcesTest.everyCommand();
    }

    private int run(List<String> command, String... more) {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(more));
        PROGRAM.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return PROGRAM.execute(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void explainsItselfWithExamples(List<String> command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString())
                .contains("Usage: postrider " + String.join(" ", command))
                .contains("--config=FILE", "--output=FORM", "--json", "--help", "--version")
                .containsPattern("(?s)Examples:\\R.*postrider " + String.join(" ", command) + "\\b");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void refusesWhatItDoesNotKnow(List<String> command) {
        for (String[] wrong : new String[][] {{"--wrong"}, {"--output", "xml"}, {"--config"}}) {
            err.getBuffer().setLength(0);
            assertThat(run(command, wrong)).isEqualTo(2);
            assertThat(out.toString()).isEmpty();
            assertThat(err.toString())
                    .startsWith("postrider " + String.join(" ", command) + ": ")
                    .contains("--help'")
                    .doesNotContain("\tat ");
        }
    }
}
