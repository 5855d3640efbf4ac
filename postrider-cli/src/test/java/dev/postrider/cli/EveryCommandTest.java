package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for each command: it explains itself with examples, answers programs, and refuses in a line or two. */
class EveryCommandTest {

    private final Shell shell = new Shell();

    static Stream<List<String>> everyCommand() {
        return OptionSourcesTest.everyCommand();
    }

    private int run(List<String> command, String... more) {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(more));
        return shell.run(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void explainsItselfWithExamples(List<String> command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(shell.out())
                .contains("Usage: postrider " + String.join(" ", command))
                .contains("--config=FILE", "--output=FORM", "--help", "--version")
                .containsPattern("(?s)Examples:\\R.*postrider " + String.join(" ", command) + "\\b");
        assertThat(shell.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("everyCommand")
    void refusesWhatItDoesNotKnow(List<String> command) {
        for (String[] wrong : new String[][] {{"--wrong"}, {"--output", "xml"}, {"--config"}}) {
            assertThat(run(command, wrong)).isEqualTo(2);
            assertThat(shell.out()).isEmpty();
            assertThat(shell.err())
                    .startsWith("postrider " + String.join(" ", command) + ": ")
                    .contains("--help'")
                    .doesNotContain("\tat ");
        }
    }
}
