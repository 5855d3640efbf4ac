package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which content types lead to a codec (A000-06 of the reference). */
class ContentSubtypeTest {

    @ParameterizedTest
    @CsvSource({
        "application/json, json",
        "application/proto, proto",
        "APPLICATION/Json, json",
        "application/json; charset=utf-8, json",
        "application/json;charset=utf-8, json",
        "' application/json ', json",
        "application/cloudevents+json, json",
        "application/CloudEvents+PROTO; a=b, proto",
        "application/cloudevents-batch+json, cloudevents-batch+json",
        "application/vnd.example+json, vnd.example+json",
    })
    void isWhatFollowsApplicationOrItsEnvelope(String contentType, String subtype) {
        assertThat(ContentSubtype.of(contentType)).contains(subtype);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "application",
                "application/",
                "application/;json",
                "application/cloudevents",
                "application/cloudevents+",
                "application/cloudevents;json",
                "applicationfoo",
                "application+json",
                "text/plain",
                "json",
                ";",
            })
    void isAbsentFromEverythingElse(String contentType) {
        assertThat(ContentSubtype.of(contentType)).isEmpty();
    }
}
