package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postrider.message.InvalidMessageException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that others have written becomes headers. */
class WrittenHeadersTest {

    @Test
    void keepsTextsAndWritesNumbersAndBooleansAsTheyAre() {
        assertThat(
                        headers(
                                "{\"a\": \"x\\u00e9\\n\", \"big\": 9007199254740993, \"e\": 1.50e+3, \"yes\": true, \"none\": null}"))
                .containsOnly(
                        entry("a", "xé\n"),
                        entry("big", "9007199254740993"),
                        entry("e", "1.50e+3"),
                        entry("yes", "true"));
    }

    @Test
    void keepsWhatIsNestedAsTheJsonThatItWas() {
        assertThat(headers("{\"tags\": [\"a\", 1], \"who\" : {\"id\": 7 } , \"last\": \"x\"}"))
                .containsOnly(entry("tags", "[\"a\", 1]"), entry("who", "{\"id\": 7 }"), entry("last", "x"));
    }

    @Test
    void givesWellKnownMembersTheirNames() {
        assertThat(headers("{\"correlation_id\": \"c\", \"causation_id\": \"d\"}"))
                .containsEntry("correlationid", "c")
                .containsEntry("causationid", "d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{", "{\"a\":}", "{\"a\":1}x", "{\"a\": 01}", "nul", "{'a': 1}", "{\"a\": \"\n\"}"})
    void refusesWhatIsNoObject(String json) {
        assertThatThrownBy(() -> headers(json)).isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void refusesToDigTooDeep() {
        assertThatThrownBy(() -> headers("{\"a\": " + "[".repeat(10_000) + "]".repeat(10_000) + "}"))
                .isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void takesTheLastOfMembersWithTheSameName() {
        assertThat(headers("{\"a\": \"first\", \"a\": \"last\"}")).containsOnly(entry("a", "last"));
    }

    private static Map<String, String> headers(String json) {
        return MessageMaker.read(json, new WrittenHeaders(false)).asMap();
    }
}
