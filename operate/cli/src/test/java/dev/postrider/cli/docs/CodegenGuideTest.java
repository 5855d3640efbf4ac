package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The guide to the code generator shows what the build of an example compiles and runs, and mistakes as a test sees them. */
class CodegenGuideTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final Pattern BLOCK = Pattern.compile("(?m)^(.*)\\n```(?:proto|java|xml|text)\\n((?s:.*?))^```$");
    private static final Pattern MARK = Pattern.compile("<!-- cut from: (\\S+) -->");

    @ParameterizedTest
    @MethodSource("blocks")
    void showsLinesAsTheyStandInTheirFile(String lineBefore, String code) {
        var mark = MARK.matcher(lineBefore);

        assertThat(mark.matches())
                .as("a line <!-- cut from: file --> stands before:%n%s", code)
                .isTrue();
        assertThat(withoutIndent(read(mark.group(1)))).contains(withoutIndent(code));
    }

    static Stream<Arguments> blocks() {
        return BLOCK.matcher(read("docs/guides/codegen.md"))
                .results()
                .map(block -> Arguments.of(block.group(1), block.group(2)));
    }

    private static String withoutIndent(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    private static String read(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
