package dev.postrider.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.CodecException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class JsonCodecTest {

    /** A book. */
    record Book(String title, int pages, List<String> authors, Optional<String> isbn, Instant printed) {}

    /** The same as a bean. */
    static final class Bean {
        private String title = "";

        public String getTitle() {
            return title;
        }

        public void setTitle(String title) {
            this.title = title;
        }
    }

    private static final Book ULYSSES =
            new Book("Ulysses – Größe", 730, List.of("Joyce"), Optional.empty(), Instant.parse("1922-02-02T00:00:00Z"));

    private final JsonCodec codec = JsonCodec.withDefaults();

    @Test
    void readsTheRecordsItWrote() {
        assertThat(codec.decode(codec.encode(ULYSSES), Book.class)).isEqualTo(ULYSSES);
    }

    @Test
    void writesUtf8WithTimesAsText() {
        assertThat(new String(codec.encode(ULYSSES), UTF_8))
                .contains("\"title\":\"Ulysses – Größe\"")
                .contains("\"printed\":\"1922-02-02T00:00:00Z\"");
    }

    @Test
    void readsTheBeansItWrote() {
        Bean bean = new Bean();
        bean.setTitle("Ulysses");

        assertThat(codec.decode(codec.encode(bean), Bean.class).getTitle()).isEqualTo("Ulysses");
    }

    @Test
    void ignoresFieldsItDoesNotKnow() {
        Bean read = codec.decode("{\"title\": \"a\", \"colour\": \"blue\"}".getBytes(UTF_8), Bean.class);

        assertThat(read.getTitle()).isEqualTo("a");
    }

    @Test
    void writesAsItsMapperDoes() {
        JsonCodec snake = JsonCodec.with(JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                .build());

        assertThat(new String(snake.encode(ULYSSES), UTF_8)).contains("\"Title\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "secret", "{\"pages\": \"secret\"}", "[]", "{\"title\": \"secret"})
    void saysWhereTheDataAreWrongWithoutQuotingThem(String data) {
        assertThatThrownBy(() -> codec.decode(data.getBytes(UTF_8), Book.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining(Book.class.getName())
                .hasMessageNotContaining("secret");
    }

    @Test
    void servesJsonForEverythingButProtobufMessages() {
        assertThat(codec.contentType()).isEqualTo("application/json");
        assertThat(codec.subtypes()).containsExactly("json");
        assertThat(codec.supports(Book.class)).isTrue();
        assertThat(codec.supports(Object.class)).isTrue();
    }
}
