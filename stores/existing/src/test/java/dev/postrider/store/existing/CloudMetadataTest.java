package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.JsonText;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The metadata column of tables between which rows move (A000-09 of the reference). */
class CloudMetadataTest {

    private static final String ID = "8f0b7c7e-2f4c-4c1e-9a1f-0c6b8f1d2e3a";

    private static CloudEventAttributes event(CloudMetadata metadata) {
        OutboxMessage.Builder message = OutboxMessage.builder("books")
                .id(MessageId.of(ID))
                .type(metadata.type())
                .headers(metadata.headers(true));
        metadata.contentType().ifPresent(message::contentType);
        return CloudEventAttributes.of(message.build(), "/unknown");
    }

    @Test
    void keepsEveryFieldButTheIdWhichIsThatOfTheRow() {
        CloudEventAttributes event = event(CloudMetadata.read("""
                {"SpecVersion":"1.0","Type":"example.books.v1.BookCreated","Source":"protoevent-go","Subject":"book \\"17\\"",
                 "ID":"%s","Time":"2026-01-28T15:04:05.123456789+02:00",
                 "Extensions":{"tenant":"blue","shard":7,"isnew":true},"DataSchema":"https://example.com/schema?v=2#a",
                 "DataContentType":"application/cloudevents+json"}
                """.formatted(ID)));

        assertThat(event.type()).isEqualTo("example.books.v1.BookCreated");
        assertThat(event.source()).isEqualTo("protoevent-go");
        assertThat(event.subject()).contains("book \"17\"");
        assertThat(event.time()).contains("2026-01-28T15:04:05.123456789+02:00");
        assertThat(event.dataSchema()).contains("https://example.com/schema?v=2#a");
        assertThat(event.dataContentType()).isEqualTo("application/cloudevents+json");
        assertThat(event.extensions()).isEqualTo(Map.of("tenant", "blue", "shard", "7", "isnew", "true"));
        assertThat(event.value("shard")).contains(7.0);
        assertThat(event.value("isnew")).contains(true);
        assertThat(event.value("tenant")).contains("blue");
    }

    /** The old relay sends it, so its consumers know it. */
    @Test
    void keepsWhatTheSpecificationForbidsButTheOldSystemSent() {
        CloudMetadata metadata = CloudMetadata.read("""
                {"SpecVersion":"1.0","Type":"a.B","Source":"","Subject":"two\\nlines","ID":"%s","Time":"yesterday",
                 "Extensions":{"traceID":"t-1","tenant-id":"blue","Shard":1.50,"big":9007199254740993,"none":null},
                 "DataSchema":"no uri","DataContentType":"Application/JSON"}
                """.formatted(ID));
        CloudEventAttributes event = event(metadata);

        assertThat(event.source()).isEmpty();
        assertThat(event.subject()).contains("two\nlines");
        assertThat(event.time()).contains("yesterday");
        assertThat(event.dataSchema()).contains("no uri");
        assertThat(event.dataContentType()).isEqualTo("Application/JSON");
        assertThat(event.extensions())
                .isEqualTo(Map.of("traceID", "t-1", "tenant-id", "blue", "Shard", "1.50", "big", "9007199254740993"));
        assertThat(event.value("big")).contains(9007199254740993L);
        assertThat(event.plainHeaders().isEmpty()).isTrue();
        OutboxMessage strict = OutboxMessage.builder("books")
                .type("a.B")
                .headers(metadata.headers(false))
                .build();
        assertThatThrownBy(() -> CloudEventAttributes.of(strict, "/unknown"))
                .isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void takesNullForAbsent() {
        CloudMetadata metadata = CloudMetadata.read("""
                {"SpecVersion":"1.0","Type":"a.B","Source":"s","Subject":"","ID":"%s","Time":null,"Extensions":null,
                 "DataSchema":null,"DataContentType":null}
                """.formatted(ID));

        assertThat(metadata.headers(false)).isEqualTo(Map.of("ce_source", "s"));
        assertThat(metadata.headers(true)).isEqualTo(Map.of("ce_source", "s", Headers.AS_WRITTEN, "{}"));
        assertThat(metadata.contentType()).isEmpty();
    }

    /** As an older version wrote it: the parts of a URL, decoded, with the original only where that is not the usual form. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                {"Scheme":"https","Opaque":"","User":null,"Host":"example.com","Path":"/s/1","RawPath":"","RawQuery":"v=2","Fragment":""} | https://example.com/s/1?v=2
                {"Scheme":"urn","Opaque":"example:book","Host":"","Path":""} | urn:example:book
                {"Scheme":"https","Host":"h","Path":"/a b/ü?","RawPath":"","Fragment":"c d","RawFragment":""} | https://h/a%20b/%C3%BC%3F#c%20d
                {"Scheme":"https","Host":"h","Path":"/a/b","RawPath":"/a%2Fb","Fragment":"c/d","RawFragment":"c%2Fd"} | https://h/a%2Fb#c%2Fd
                """)
    void readsASchemaInParts(String parts, String schema) {
        CloudMetadata metadata = CloudMetadata.read(
                "{\"Type\":\"a.B\",\"Source\":\"s\",\"ID\":\"%s\",\"DataSchema\":%s}".formatted(ID, parts));

        assertThat(event(metadata).dataSchema()).contains(schema);
    }

    @Test
    void readsEveryFieldThatItWrote() {
        OutboxMessage message = OutboxMessage.builder("example.books.v1")
                .id(MessageId.of(ID))
                .type("example.books.v1.BookCreated")
                .contentType("application/proto")
                .header("ce_source", "/books")
                .header("ce_time", "2026-01-28T15:04:05.123456789+02:00")
                .header("ce_dataschema", "https://example.com/a%20b?v=2#c")
                .header("ce_tenant", "\"blue\" \\ größe")
                .header("traceparent", "00-trace-01")
                .correlationId("c-1")
                .build();

        String json = CloudMetadata.write(message, Optional.of("book-17"));
        CloudEventAttributes read = event(CloudMetadata.read(json));

        assertThat(JsonText.members(json).keySet())
                .containsExactly(
                        "SpecVersion",
                        "Type",
                        "Source",
                        "Subject",
                        "ID",
                        "Time",
                        "Extensions",
                        "DataSchema",
                        "DataContentType");
        assertThat(JsonText.members(json).get("ID").scalar()).contains(ID);
        assertThat(JsonText.members(json).get("SpecVersion").scalar()).contains("1.0");
        assertThat(read.type()).isEqualTo("example.books.v1.BookCreated");
        assertThat(read.source()).isEqualTo("/books");
        assertThat(read.subject()).contains("book-17");
        assertThat(read.time()).contains("2026-01-28T15:04:05.123456789+02:00");
        assertThat(read.dataSchema()).contains("https://example.com/a%20b?v=2#c");
        assertThat(read.dataContentType()).isEqualTo("application/proto");
        assertThat(read.extensions())
                .isEqualTo(Map.of("tenant", "\"blue\" \\ größe", "traceparent", "00-trace-01", "correlationid", "c-1"));
    }

    @Test
    void leavesAbsentWhatIsAbsent() {
        OutboxMessage message = OutboxMessage.builder("a")
                .id(MessageId.of(ID))
                .type("a.B")
                .contentType("application/json")
                .build();

        String json = CloudMetadata.write(message, Optional.empty());

        assertThat(json)
                .isEqualTo(
                        "{\"SpecVersion\":\"1.0\",\"Type\":\"a.B\",\"Source\":\"\",\"Subject\":\"\",\"ID\":\"%s\",\"Time\":null,\"Extensions\":null,\"DataSchema\":null,\"DataContentType\":\"application/json\"}",
                        ID);
        assertThat(CloudMetadata.read(json).headers(false)).isEmpty();
        assertThat(CloudMetadata.read("{\"Type\":\"a.B\",\"Time\":\"0001-01-01T00:00:00Z\"}")
                        .headers(false))
                .as("the time of services that have none")
                .isEmpty();
    }

    @Test
    void refusesAHeaderThatHasNoPlace() {
        OutboxMessage message = OutboxMessage.builder("a")
                .type("a.B")
                .header("x-tenant", "blue")
                .build();

        assertThatThrownBy(() -> CloudMetadata.write(message, Optional.empty()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("x-tenant");
    }
}
