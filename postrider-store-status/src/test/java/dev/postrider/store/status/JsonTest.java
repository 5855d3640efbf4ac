package dev.postrider.store.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postrider.message.InvalidMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON of others becomes headers. */
class JsonTest {

    @Test
    void keepsTextsAndWritesNumbersAndBooleansAsTheyAre() {
        assertThat(MessageMaker.headers(
                        "{\"a\": \"x\\u00e9\\n\", \"big\": 9007199254740993, \"yes\": true, \"none\": null}"))
                .containsOnly(entry("a", "xé\n"), entry("big", "9007199254740993"), entry("yes", "true"));
    }

    @Test
    void givesWellKnownMembersTheirNames() {
        assertThat(MessageMaker.headers("{\"correlation_id\": \"c\", \"causation_id\": \"d\"}"))
                .containsEntry("correlationid", "c")
                .containsEntry("causationid", "d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "[]", "{", "{\"a\":}", "{\"a\":1}x", "{\"a\": {\"b\": 1}}", "{\"a\": 01}", "nul", "{'a': 1}"
            })
    void refusesWhatIsNoObjectOfPlainMembers(String json) {
        assertThatThrownBy(() -> MessageMaker.headers(json)).isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void refusesToDigTooDeep() {
        assertThatThrownBy(() -> Json.object("{\"a\": " + "[".repeat(10_000) + "]".repeat(10_000) + "}"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
