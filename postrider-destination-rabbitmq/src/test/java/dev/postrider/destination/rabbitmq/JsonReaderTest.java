package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " [1, -0.5e+3 ,0,10E2] ",
                "\"\\u00e4\\n\"",
                "true",
                "null",
                "{\"a\":{\"b\":[{}]},\"c\":\"}\"}"
            })
    void acceptsJson(String json) {
        assertThatCode(() -> JsonReader.check(json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "01",
                "1.",
                "-",
                "+1",
                "tru",
                "\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "{} {}",
                "1 2",
                "NaN"
            })
    void refusesAnythingElse(String text) {
        assertThatThrownBy(() -> JsonReader.check(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void splitsAnObjectWithoutTouchingItsValues() {
        assertThat(JsonReader.members("{ \"a\" : {\"x\": [1,  2]} , \"\\u0062\":\"\\\"q\\\"\", \"c\":1.50 }"))
                .containsEntry("a", "{\"x\": [1,  2]}")
                .containsEntry("b", "\"\\\"q\\\"\"")
                .containsEntry("c", "1.50")
                .hasSize(3);
        assertThat(JsonReader.scalar("\"\\\"q\\\"\"")).isEqualTo("\"q\"");
        assertThat(JsonReader.scalar("null")).isEmpty();
    }

    @Test
    void refusesWhatIsNestedTooDeep() {
        assertThatThrownBy(() -> JsonReader.check("[".repeat(100_000))).hasMessageContaining("nested");
    }
}
