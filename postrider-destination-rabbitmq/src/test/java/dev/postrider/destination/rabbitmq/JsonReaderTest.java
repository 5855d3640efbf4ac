package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.destination.rabbitmq.JsonReader.Value;
import java.util.Map;
import java.util.Optional;
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
        assertThat(JsonReader.members(
                        "{ \"a\" : {\"x\": [1,  2]} , \"\\u0062\":\"\\\"q\\\"\", \"c\":1.50 ,\"d\":null,\"e\" : true}"))
                .isEqualTo(Map.of(
                        "a", new Value("{\"x\": [1,  2]}", Optional.empty()),
                        "b", new Value("\"\\\"q\\\"\"", Optional.of("\"q\"")),
                        "c", new Value("1.50", Optional.of("1.50")),
                        "d", new Value("null", Optional.empty()),
                        "e", new Value("true", Optional.of("true"))));
    }

    /** The parser reads long texts in pieces. */
    @Test
    void splitsALongObject() {
        String large = "[" + "\"日本\",".repeat(50_000) + "1]";

        assertThat(JsonReader.members("{\"a\":" + large + ",\"b\": " + large + "}"))
                .containsEntry("a", new Value(large, Optional.empty()))
                .containsEntry("b", new Value(large, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "1", "{\"a\":1", "{} {}", "{\"a\":1,\"a\":2}"})
    void splitsNothingButOneObjectWithDifferentNames(String text) {
        assertThatThrownBy(() -> JsonReader.members(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 1");
    }

    @Test
    void refusesWhatIsNestedTooDeep() {
        assertThatThrownBy(() -> JsonReader.check("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested");
    }
}
