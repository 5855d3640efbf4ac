package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.postrider.cli.command.PostriderCommand;
import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every command line that a page shows is one that the program understands. */
class CommandsInDocsTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```[a-z]*\\n(.*?)^ *```$");
    private static final Pattern COMMAND = Pattern.compile("(?m)(?:^|&& ) *(?:\\./)?postrider ([^#>&|\\n]+)");

    static Stream<String> commands() throws IOException {
        return SnippetsTest.pages().stream().flatMap(CommandsInDocsTest::commandsOf);
    }

    private static Stream<String> commandsOf(String page) {
        String text = read(page).replaceAll("\\\\\\n", " ");
        return BLOCK.matcher(text)
                .results()
                .flatMap(block -> COMMAND.matcher(block.group(1)).results())
                .map(command -> command.group(1).strip())
                // What the program itself says is quoted here and there.
                .filter(command -> !command.matches("\\w+:.*"))
                .distinct();
    }

    private static String read(String page) {
        try {
            return Files.readString(Guide.ROOT.resolve(page));
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Test
    void areThere() throws IOException {
        assertThat(commands()).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void canBeTyped(String command) {
        List<String> words = List.of(command.split(" +"));
        if (words.get(0).equals("COMMAND")) {
            return;
        }

        assertThatCode(() -> commandLine().parseArgs(words.toArray(String[]::new)))
                .as(command)
                .doesNotThrowAnyException();
    }

    private static CommandLine commandLine() {
        return new CommandLine(new PostriderCommand(new Environment(Map.of())))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Values::duration)
                .registerConverter(Instant.class, Values::moment);
    }
}
