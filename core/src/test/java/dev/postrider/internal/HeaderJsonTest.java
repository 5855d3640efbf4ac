package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderJsonTest {

    @Property
    void readsWhatItWrote(@ForAll Map<String, String> headers) {
        assertThat(HeaderJson.read(HeaderJson.write(headers))).isEqualTo(headers);
    }

    @Test
    void keepsTheOrderOfNames() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("z", "1");
        headers.put("a", "2");

        assertThat(HeaderJson.write(headers)).isEqualTo("{\"z\":\"1\",\"a\":\"2\"}");
        assertThat(HeaderJson.read("{\"z\":\"1\",\"a\":\"2\"}")).containsExactlyEntriesOf(headers);
    }

    @Test
    void writesNothingButWhatJsonAllows() {
        assertThat(HeaderJson.write(Map.of("a\"\\", "\n\r\t\0\u001f/😀\uD83D")))
                .isEqualTo("{\"a\\\"\\\\\":\"\\n\\r\\t\\u0000\\u001f/😀\\ud83d\"}");
    }

    @Test
    void readsEveryEscapeAndSpace() {
        assertThat(HeaderJson.read(" {\t\"a\" :\r\n\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fC\\ud83d\\ude00\" } "))
                .isEqualTo(Map.of("a", "\"\\/\b\f\n\r\tü😀"));
        assertThat(HeaderJson.read("{}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``             | '{' at position 0 of 0",
                "[]             | '{' at position 0 of 2",
                "null           | '{' at position 0 of 4",
                "{              | '\"' at position 1 of 1",
                "{\"a\"}        | ':' at position 4 of 5",
                "{\"a\":1}      | '\"' at position 5 of 7",
                "{\"a\":null}   | '\"' at position 5 of 10",
                "{\"a\":{}}     | '\"' at position 5 of 8",
                "{\"a\":\"b\",} | '\"' at position 9 of 10",
                "{\"a\":\"b     | more text at position 7 of 7",
                "{\"a\":\"\\x\"}| an escape at position 7 of 10",
                "{\"a\":\"\\u00g0\"} | a hex digit at position 10 of 14",
                "{}{}           | the end at position 2 of 4",
            })
    void saysWhatItExpectedAndWhere(String json, String expected) {
        assertThatThrownBy(() -> HeaderJson.read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Headers are not a JSON object of strings: expected " + expected);
    }

    @Test
    void refusesControlCharactersThatAreNotEscaped() {
        assertThatThrownBy(() -> HeaderJson.read("{\"a\":\"\n\"}"))
                .hasMessageEndingWith("expected an escaped control character at position 6 of 9");
    }

    @Test
    void refusesANameThatOccursTwice() {
        assertThatThrownBy(() -> HeaderJson.read("{\"a\":\"1\",\"a\":\"2\"}"))
                .hasMessageEndingWith("strings: 'a' occurs twice");
    }

    @Test
    void refusesDigitsOfOtherScripts() {
        assertThatThrownBy(() -> HeaderJson.read("{\"a\":\"\\u00٤٤\"}"))
                .hasMessageEndingWith("expected a hex digit at position 10 of 14");
    }
}
