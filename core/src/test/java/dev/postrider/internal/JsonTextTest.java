package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.JsonText.Value;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                " false ",
                "\"\"",
                "0",
                "-0.5e+10",
                "12345678901234567890",
                "1E5",
                "{\"a\": [1, {\"b\": null}], \"c\" : \"\\u00e4\\n\\\"\"}",
                "[[],[[]]]",
                "\"größe \uD83D\uDE80\""
            })
    void acceptsOneValue(String text) {
        assertThat(JsonText.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "{]",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{\"a\":1,}",
                "01",
                "1.",
                ".5",
                "-",
                "1e",
                "+1",
                "tru",
                "nulll",
                "\"",
                "\"\\x\"",
                "\"\\u00g0\"",
                "\"a\nb\"",
                "{} {}",
                "{\"a\":1}}",
                "'a'",
                "NaN",
                "\0"
            })
    void refusesAnythingElse(String text) {
        assertThat(JsonText.isValid(text)).isFalse();
    }

    @Test
    void refusesWhatIsNestedTooDeepInsteadOfOverflowing() {
        assertThat(JsonText.isValid("[".repeat(100_000))).isFalse();
        assertThat(JsonText.isValid("[".repeat(400) + "]".repeat(400))).isTrue();
    }

    @Test
    void splitsAnObjectWithoutTouchingItsValues() {
        assertThat(JsonText.members(
                        "{ \"a\" : {\"x\": [1,  2]} , \"\\u0062\":\"\\\"q\\\"\", \"c\":1.50 ,\"d\":null,\"e\" : true}"))
                .isEqualTo(Map.of(
                        "a", new Value("{\"x\": [1,  2]}", Optional.empty()),
                        "b", new Value("\"\\\"q\\\"\"", Optional.of("\"q\"")),
                        "c", new Value("1.50", Optional.of("1.50")),
                        "d", new Value("null", Optional.empty()),
                        "e", new Value("true", Optional.of("true"))));
        assertThat(JsonText.members(" { } ")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "1",
                "null",
                "{\"a\":1",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{1:1}",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}"
            })
    void splitsNothingButOneObjectWithDifferentNames(String text) {
        assertThatThrownBy(() -> JsonText.members(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("expected .* at position \\d+ of \\d+|'a' occurs twice");
    }

    /** Headers lie in databases as this writes them. */
    @Test
    void writesEveryCharacterAsItIsUnlessJsonOrUtf8ForbidsIt() {
        StringBuilder out = new StringBuilder();

        JsonText.appendString(out, "\"\\\n\r\t\0/\u007fä😀\uDE00");

        assertThat(out).hasToString("\"\\\"\\\\\\n\\r\\t\\u0000/\u007fä😀\\ude00\"");
    }
}
