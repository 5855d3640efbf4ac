package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSyntaxTest {

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
        assertThat(JsonSyntax.isValid(text)).isTrue();
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
        assertThat(JsonSyntax.isValid(text)).isFalse();
    }

    @Test
    void refusesWhatIsNestedTooDeepInsteadOfOverflowing() {
        assertThat(JsonSyntax.isValid("[".repeat(100_000))).isFalse();
        assertThat(JsonSyntax.isValid("[".repeat(400) + "]".repeat(400))).isTrue();
    }
}
