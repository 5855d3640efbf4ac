package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventMappingTest {

    private static final EventMapping MAPPING =
            new EventMapping(OutboxMessage::topic, Subjects.OF_APPLICATIONS, "/default", Optional.of("ORDERS"));

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders.placed").type("com.example.Placed");
    }

    /** The names that consumers in other languages read. */
    @Test
    void writesEventsUnderTheAgreedNames() {
        OutboxMessage sent = message()
                .key("order-17")
                .json("{}")
                .header(Headers.SUBJECT, "Größe")
                .header("ce_tenant", "blue")
                .header(Headers.TRACE_PARENT, "00-trace-01")
                .build();

        Message wire = MAPPING.write(sent);

        Map<String, String> headers = new TreeMap<>();
        wire.getHeaders()
                .entrySet()
                .forEach(each -> headers.put(each.getKey(), each.getValue().get(0)));
        assertThat(wire.getSubject()).isEqualTo("orders.placed");
        assertThat(wire.getData()).isEqualTo(sent.payload());
        assertThat(headers)
                .isEqualTo(Map.of(
                                "Nats-Msg-Id", sent.id().toString(),
                                "Nats-Expected-Stream", "ORDERS",
                                "content-type", "application/json",
                                "ce-specversion", "1.0",
                                "ce-id", sent.id().toString(),
                                "ce-source", "/default",
                                "ce-type", "com.example.Placed",
                                "ce-subject", "Gr%C3%B6%C3%9Fe",
                                "ce-tenant", "blue",
                                "ce-partitionkey", "order-17")
                        .entrySet()
                        .stream()
                        .collect(
                                () -> new TreeMap<String, String>(Map.of("traceparent", "00-trace-01")),
                                (map, each) -> map.put(each.getKey(), each.getValue()),
                                TreeMap::putAll));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders.*", "orders.>", "with space", ".orders", "orders.", "a..b", "größe"})
    void refusesWhatIsNoSubject(String topic) {
        OutboxMessage message = OutboxMessage.builder(topic).type("t").build();

        assertThatThrownBy(() -> MAPPING.write(message))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(topic);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"$JS.API.STREAM.DELETE.ORDERS", "$SYS.REQ.SERVER.PING", "$KV.b.k", "$", "_INBOX.abc.1", "_INBOX"
            })
    void refusesSubjectsOfTheServerUnlessTheyAreAllowed(String topic) {
        OutboxMessage message = OutboxMessage.builder(topic).type("t").build();
        EventMapping mapped = new EventMapping(each -> topic, Subjects.OF_APPLICATIONS, "/", Optional.empty());
        EventMapping allowing = new EventMapping(OutboxMessage::topic, Subjects.ALL, "/", Optional.empty());

        assertThatThrownBy(() -> MAPPING.write(message))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll("'" + topic + "'", "allowInternalTopics");
        assertThatThrownBy(() -> mapped.write(message().build())).isInstanceOf(InvalidMessageException.class);
        assertThat(allowing.write(message).getSubject()).isEqualTo(topic);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_INBOXES.a", "a.$JS", "orders$"})
    void takesSubjectsThatOnlyLookLikeThoseOfTheServer(String topic) {
        assertThat(MAPPING.write(OutboxMessage.builder(topic).type("t").build()).getSubject())
                .isEqualTo(topic);
    }

    @Test
    void refusesASubjectForWhichTheServerWouldEndTheConnection() {
        String tooLong = "orders." + "x".repeat(3000);
        EventMapping mapping = new EventMapping(message -> tooLong, Subjects.ALL, "/", Optional.empty());

        assertThatThrownBy(() -> mapping.write(message().build()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("at most 3000 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Nats-Msg-Id", "nats-rollup", "ce-id", "Content-Type"})
    void refusesHeadersThatTheServerOrConsumersWouldMisread(String name) {
        OutboxMessage message = message().header(name, "forged").build();

        assertThatThrownBy(() -> MAPPING.write(message))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(name);
    }

    @Test
    void saysWhatIsMissingInWhatIsNoEvent() {
        Message strange = NatsMessage.builder().subject("orders").data("hello").build();

        assertThatThrownBy(() -> EventMapping.read(strange))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("specversion");
    }

    @Test
    void writesAndReadsOneObjectWhereTheContentTypeSaysSo() {
        OutboxMessage sent = message()
                .key("order-17")
                .contentType("application/cloudevents+json")
                .payload("{\"total\": 1.0}".getBytes(StandardCharsets.UTF_8))
                .header("plain", "ü")
                .build();

        Message wire = MAPPING.write(sent);
        OutboxMessage read = EventMapping.read(wire);

        assertThat(wire.getHeaders().keySet())
                .containsOnly("Nats-Msg-Id", "Nats-Expected-Stream", "content-type", "plain");
        assertThat(new String(wire.getData(), StandardCharsets.UTF_8))
                .contains("\"partitionkey\":\"order-17\",\"data\":{\"total\": 1.0}}");
        assertThat(read.id()).isEqualTo(sent.id());
        assertThat(read.key()).contains("order-17");
        assertThat(read.contentType()).isEqualTo("application/json");
        assertThat(read.payload()).isEqualTo(sent.payload());
        assertThat(read.headers().get("plain")).contains("ü");
    }
}
