package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the program tells about itself. */
class HelpAndCompletionTest {

    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "status", "dead retry"})
    void explainsACommand(String command) {
        assertThat(shell.run(("help " + command).split(" "))).isZero();
        assertThat(shell.out()).startsWith(("Usage: postrider " + command).strip());
    }

    @Test
    void saysThatThereIsNoSuchCommand() {
        assertThat(shell.run("help", "dead", "rerty")).isEqualTo(2);
        assertThat(shell.err()).contains("There is no command 'dead rerty'");
    }

    @ParameterizedTest
    @CsvSource({"1, st, status", "2, dead re, retry", "2, status --ou, --output"})
    void letsBashComplete(int word, String line, String expected) throws Exception {
        assertThat(shell.run("completion", "bash")).isZero();
        Path script = Files.writeString(directory.resolve("completion"), shell.out());
        String words = "postrider " + line;

        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_postrider; echo \"${COMPREPLY[@]}\""
                                .formatted(script, words, word, words))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(expected);
    }

    @Test
    void knowsTheShellsThatItHasAScriptFor() {
        assertThat(shell.run("completion", "zsh")).isZero();
        assertThat(shell.out()).contains("bashcompinit");
        assertThat(shell.run("completion", "fish")).isEqualTo(2);
        assertThat(shell.err()).contains("BASH", "ZSH");
    }
}
