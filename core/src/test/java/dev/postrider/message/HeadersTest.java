package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HeadersTest {

    @Test
    void keepsTheOrderInWhichTheyWereGiven() {
        Headers headers = Headers.none().with("z", "1").with("a", "2").with("m", "3");

        assertThat(headers.asMap()).containsExactly(entry("z", "1"), entry("a", "2"), entry("m", "3"));
    }

    @Test
    void copiesTheMapItWasGiven() {
        Map<String, String> map = new LinkedHashMap<>(Map.of("a", "1"));
        Headers headers = Headers.of(map);
        map.put("b", "2");

        assertThat(headers.asMap()).containsOnlyKeys("a");
    }

    @Test
    void neverChange() {
        Headers headers = Headers.none().with("a", "1");

        assertThat(headers.with("a", "2").get("a")).contains("2");
        assertThat(headers.get("a")).contains("1");
        assertThat(Headers.none().isEmpty()).isTrue();
        assertThatThrownBy(() -> headers.asMap().put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void tellNamesApartByCase() {
        Headers headers = Headers.none().with("Tenant", "1").with("tenant", "2");

        assertThat(headers.get("Tenant")).contains("1");
        assertThat(headers.get("TENANT")).isEmpty();
    }

    @Test
    void areEqualWhateverTheirOrder() {
        Headers one = Headers.none().with("a", "1").with("b", "2");
        Headers other = Headers.none().with("b", "2").with("a", "1");

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).isNotEqualTo(Headers.none());
    }

    @Test
    void acceptEmptyValuesAndLineBreaksInValues() {
        assertThat(Headers.none().with("a", "").with("b", "x\r\ny").asMap()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refuseWithNameAndReason(String problem, String name, String value) {
        Map<String, String> map = new HashMap<>();
        map.put(name, value);

        assertThatThrownBy(() -> Headers.none().with(name, value)).hasMessage("Invalid message: headers " + problem);
        assertThatThrownBy(() -> Headers.of(map))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessage("Invalid message: headers " + problem);
    }

    static Stream<Arguments> bad() {
        String noBreaks = "; names may hold no line breaks or other control characters";
        return Stream.of(
                arguments("have a name that is null", null, "v"),
                arguments("have a name that is empty", "", "v"),
                arguments("have a name with control character U+000A at position 2" + noBreaks, "ab\nc", "v"),
                arguments("have a name with control character U+000D at position 0" + noBreaks, "\rab", "v"),
                arguments("have a name with control character U+0000 at position 1" + noBreaks, "a\0", "v"),
                arguments("have a name with control character U+0085 at position 1" + noBreaks, "a\u0085", "v"),
                arguments("have a name with half a surrogate pair at position 1", "a\uD83D", "v"),
                arguments("have the name 'a ' with a space at its end; remove it", "a ", "v"),
                arguments("have the name ' a' with a space at its end; remove it", " a", "v"),
                arguments("have no value for 'a' (null); leave the header out", "a", null),
                arguments("have a NUL character in the value of 'a' at position 3", "a", "xyz\0"),
                arguments("have half a surrogate pair in the value of 'a' at position 1", "a", "x\uDE00"));
    }
}
