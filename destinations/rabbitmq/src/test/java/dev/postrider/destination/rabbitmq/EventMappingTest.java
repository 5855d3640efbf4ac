package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.internal.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events in binary and structured mode, as the existing bus and others write them (A000-07 and -08 of the reference). */
class EventMappingTest {

    private static final EventMapping BINARY = mapping(EventMode.BINARY);
    private static final EventMapping STRUCTURED = mapping(EventMode.STRUCTURED);
    private static final MessageId ID = MessageId.of("01890a5d-ac96-774b-bcce-b302099a8057");

    private static EventMapping mapping(EventMode mode) {
        return new EventMapping(mode, Routing.BY_TOPIC_AND_TYPE, "/default", true);
    }

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders").id(ID).type("com.example.orders.Placed");
    }

    @Test
    void sendsToTheTopicWithTheLastPartOfTheType() {
        WireMessage wire = BINARY.write(message().build());

        assertThat(wire.exchange()).isEqualTo("orders");
        assertThat(wire.routingKey()).isEqualTo("Placed");
    }

    @Test
    void sendsATypeWithoutDotsAsItsOwnRoutingKey() {
        assertThat(BINARY.write(OutboxMessage.builder("orders").type("placed").build())
                        .routingKey())
                .isEqualTo("placed");
    }

    @Test
    void takesTheExchangeFromTheTypeWhereThatIsWanted() {
        Routing routing = Routing.BY_TOPIC_AND_TYPE.withExchange(Routing::beforeLastDot);
        EventMapping mapping = new EventMapping(EventMode.BINARY, routing, "/default", true);

        assertThat(mapping.write(message().build()).exchange()).isEqualTo("com.example.orders");
        OutboxMessage withoutDot =
                OutboxMessage.builder("orders").type("placed").build();
        assertThatThrownBy(() -> mapping.write(withoutDot))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("placed");
    }

    /** The names that consumers in other languages read. */
    @Test
    void writesBinaryEventsUnderTheAgreedNames() {
        WireMessage wire = BINARY.write(message()
                .key("order-17")
                .contentType("application/json")
                .header(Headers.SOURCE, "/shop")
                .header(Headers.SUBJECT, "17")
                .header(Headers.TIME, "2026-01-31T12:00:00Z")
                .header(Headers.DATA_SCHEMA, "https://example.com/schema")
                .header("ce_tenant", "blue")
                .header(Headers.TRACE_PARENT, "00-trace-01")
                .payload("{}".getBytes(StandardCharsets.UTF_8))
                .build());

        BasicProperties properties = wire.properties();
        assertThat(properties.getType()).isEqualTo("com.example.orders.Placed");
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getMessageId()).isEqualTo(ID.toString());
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(new TreeMap<>(properties.getHeaders()))
                .isEqualTo(new TreeMap<>(Map.ofEntries(
                        Map.entry("cloudEvents:specversion", "1.0"),
                        Map.entry("cloudEvents:id", ID.toString()),
                        Map.entry("cloudEvents:source", "/shop"),
                        Map.entry("cloudEvents:type", "com.example.orders.Placed"),
                        Map.entry("cloudEvents:subject", "17"),
                        Map.entry("cloudEvents:time", "2026-01-31T12:00:00Z"),
                        Map.entry("cloudEvents:dataschema", "https://example.com/schema"),
                        Map.entry("cloudEvents:partitionkey", "order-17"),
                        Map.entry("cloudEvents:tenant", "blue"),
                        Map.entry("tenant", "blue"),
                        Map.entry("traceparent", "00-trace-01"))));
        assertThat(wire.body()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
    }

    @Test
    void sendsTransientlyWhereThatIsWanted() {
        EventMapping mapping = new EventMapping(EventMode.BINARY, Routing.BY_TOPIC_AND_TYPE, "/default", false);

        assertThat(mapping.write(message().build()).properties().getDeliveryMode())
                .isEqualTo(1);
    }

    @Test
    void keepsAPlainHeaderWhoseNameAnExtensionHasToo() {
        OutboxMessage sent =
                message().header("ce_tenant", "blue").header("tenant", "red").build();

        assertThat(readBack(BINARY.write(sent)).headers().asMap())
                .containsEntry("ce_tenant", "blue")
                .containsEntry("tenant", "red");
    }

    @Test
    void readsWhatProducersWithAnUnderscoreWrite() {
        BasicProperties properties = new BasicProperties.Builder()
                .type("placed")
                .headers(Map.of(
                        "cloudEvents_specversion", "1.0",
                        "cloudEvents_id", "17",
                        "cloudEvents_source", "/shop",
                        "count", 3,
                        "x-death", List.of(Map.of("queue", "q")),
                        "x-first-death-queue", "q",
                        "x-first-death-reason", "rejected",
                        "x-first-death-exchange", "orders",
                        "x-last-death-queue", "q",
                        "x-delivery-count", 2))
                .build();

        OutboxMessage read = EventMapping.read("orders", properties, new byte[] {1});

        assertThat(read.id().text()).isEqualTo("17");
        assertThat(read.contentType()).isEqualTo(OutboxMessage.DEFAULT_CONTENT_TYPE);
        assertThat(read.headers().asMap()).isEqualTo(Map.of(Headers.SOURCE, "/shop", "count", "3"));
    }

    @Test
    void readsByteStringsAndTimesAsTextAndGuessesAtNoAttribute() {
        byte[] malformed = {'a', (byte) 0xFF};
        Map<String, Object> headers = new HashMap<>(Map.of(
                "cloudEvents:specversion",
                "1.0",
                "cloudEvents:id",
                "17-ä".getBytes(StandardCharsets.UTF_8),
                "cloudEvents:source",
                LongStringHelper.asLongString("/shop"),
                "cloudEvents:time",
                new Date(1_700_000_000_000L),
                "note",
                "größe".getBytes(StandardCharsets.UTF_8),
                "other",
                malformed));
        BasicProperties.Builder properties =
                new BasicProperties.Builder().type("placed").headers(headers);

        ReceivedEvent read = EventMapping.readEvent("orders", properties.build(), new byte[0]);

        assertThat(read.event().orElseThrow().id()).isEqualTo("17-ä");
        assertThat(read.event().orElseThrow().time()).contains("2023-11-14T22:13:20Z");
        assertThat(read.message().headers().asMap())
                .containsEntry("note", "größe")
                .containsEntry("other", "a\uFFFD");
        for (Object id : List.of(malformed, LongStringHelper.asLongString(malformed))) {
            headers.put("cloudEvents:id", id);
            BasicProperties wrong = properties.headers(headers).build();
            assertThatThrownBy(() -> EventMapping.readEvent("orders", wrong, new byte[0]))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("id is not UTF-8");
        }
    }

    @Test
    void saysWhatIsMissingInWhatIsNoEvent() {
        BasicProperties properties = new BasicProperties.Builder()
                .headers(Map.of("cloudEvents:specversion", "1.0", "cloudEvents:id", "17", "cloudEvents:source", "/"))
                .build();

        assertThatThrownBy(() -> EventMapping.read("orders", properties, new byte[0]))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("type");
    }

    @Test
    void takesAnEmptyAttributeForAbsent() {
        OutboxMessage read = EventMapping.read("orders", binary(Map.of("cloudEvents:subject", "")), new byte[0]);

        assertThat(read.headers().asMap()).isEqualTo(Map.of(Headers.SOURCE, "/shop"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloudEvents:specversion", "cloudEvents:id"})
    void needsEveryRequiredHeader(String name) {
        assertThatThrownBy(() -> EventMapping.read("orders", binary(Map.of(name, "")), new byte[0]))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(name.substring("cloudEvents:".length()))
                .hasMessageContaining("missing");
    }

    @Test
    void refusesATimeThatIsNone() {
        assertThatThrownBy(
                        () -> EventMapping.read("orders", binary(Map.of("cloudEvents:time", "yesterday")), new byte[0]))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("time");
    }

    /** Also what the specification forbids: the producer may be older than it. */
    @Test
    void readsAttributesAsTheirProducerWroteThem() {
        Map<String, Object> odd = Map.of(
                "cloudEvents:source", "",
                "cloudEvents:subject", "two\nlines",
                "cloudEvents:dataschema", "no scheme",
                "cloudEvents:traceID", "t-1",
                "tenant-id", "blue",
                "shard", 7.0);

        CloudEventAttributes event = EventMapping.readEvent("orders", binary(odd), new byte[0])
                .event()
                .orElseThrow();

        assertThat(event.source()).isEmpty();
        assertThat(event.subject()).contains("two\nlines");
        assertThat(event.dataSchema()).contains("no scheme");
        assertThat(event.extensions()).isEqualTo(Map.of("traceID", "t-1", "tenant-id", "blue", "shard", "7"));
    }

    /** An event of another system, as its own relay would send it. */
    @Test
    void writesAttributesAsTheyWereWritten() {
        OutboxMessage odd = message()
                .header(Headers.AS_WRITTEN, "{\"shard\":\"number\",\"isnew\":\"boolean\"}")
                .header(Headers.SOURCE, "a b")
                .header(Headers.SUBJECT, "two\nlines")
                .header("ce_traceID", "t-1")
                .header("ce_tenant-id", "blue")
                .header("ce_shard", "7")
                .header("ce_isnew", "true")
                .json("{}")
                .build();

        assertThat(BINARY.write(odd).properties().getHeaders())
                .containsEntry("cloudEvents:source", "a b")
                .containsEntry("cloudEvents:subject", "two\nlines")
                .containsEntry("traceID", "t-1")
                .containsEntry("cloudEvents:tenant-id", "blue")
                .containsEntry("shard", 7.0)
                .containsEntry("cloudEvents:isnew", true)
                .doesNotContainKey(Headers.AS_WRITTEN);
        assertThat(STRUCTURED.write(odd).body())
                .asString(StandardCharsets.UTF_8)
                .contains("\"source\":\"a b\"", "\"traceID\":\"t-1\"", "\"shard\":7,", "\"isnew\":true,");
    }

    /** Whoever says that a text is a number could write anything into the object. */
    @Test
    void refusesATypeThatAnAttributeHasNot() {
        for (String value : List.of("7,\"id\":\"8\"", "x", "NaN", "")) {
            OutboxMessage forged = message()
                    .header(Headers.AS_WRITTEN, "{\"shard\":\"number\"}")
                    .header("ce_shard", value)
                    .build();

            assertThatThrownBy(() -> STRUCTURED.write(forged))
                    .isInstanceOf(InvalidMessageException.class)
                    .hasMessageContaining("shard is no number");
        }
    }

    private static BasicProperties binary(Map<String, Object> changed) {
        Map<String, Object> headers = new HashMap<>(Map.of(
                "cloudEvents:specversion", "1.0", "cloudEvents:id", ID.toString(), "cloudEvents:source", "/shop"));
        headers.putAll(changed);
        return new BasicProperties.Builder().type("placed").headers(headers).build();
    }

    @Test
    void readsStructuredEventsOfOtherProducers() {
        OutboxMessage read = structured("""
                {"specversion":"1.0","id":"17","source":"/shop","type":"a\\u002eb","subject":null,"dataschema":"",
                 "count":3,"isnew":true,"note":"say \\"hi\\"","data":{"total": 1.50}}""");

        assertThat(read.type()).isEqualTo("a.b");
        assertThat(read.contentType()).isEqualTo("application/json");
        assertThat(read.payload()).asString(StandardCharsets.UTF_8).isEqualTo("{\"total\": 1.50}");
        assertThat(read.headers().asMap())
                .isEqualTo(
                        Map.of(Headers.SOURCE, "/shop", "ce_count", "3", "ce_isnew", "true", "ce_note", "say \"hi\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"specversion\":\"1.0\",\"id\":\"17\",\"source\":\"/shop\",\"data\":1}",
                "{\"specversion\":\"1.0\",\"id\":null,\"source\":\"/shop\",\"type\":\"a\"}",
                "{\"specversion\":\"1.0\",\"id\":[17],\"source\":\"/shop\",\"type\":\"a\"}",
                "{\"specversion\":\"1.0\",\"id\":{\"a\":1},\"source\":\"/shop\",\"type\":\"a\"}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"id\":\"2\",\"source\":\"/shop\",\"type\":\"a\"}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/\",\"type\":\"a\",\"data_base64\":\"?\"}",
                "[1]",
                "no JSON"
            })
    void refusesStructuredEventsThatAreNone(String body) {
        assertThatThrownBy(() -> structured(body)).isInstanceOf(InvalidMessageException.class);
    }

    private static OutboxMessage structured(String body) {
        BasicProperties properties = new BasicProperties.Builder()
                .contentType("application/cloudevents+json; charset=utf-8")
                .build();
        return EventMapping.read("orders", properties, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusesAnExtensionThatIsAnAttributeOfAnotherValue() {
        for (EventMapping mapping : List.of(BINARY, STRUCTURED)) {
            for (String name : List.of("ce_id", "ce_type", "ce_specversion", "ce_data", "ce_datacontenttype")) {
                OutboxMessage forged = message().header(name, "other").build();

                assertThatThrownBy(() -> mapping.write(forged))
                        .isInstanceOf(InvalidMessageException.class)
                        .hasMessageContaining(name.substring("ce_".length()));
            }
        }
    }

    @Test
    void writesStructuredEventsAsOneObject() {
        WireMessage wire = STRUCTURED.write(message()
                .key("order-17")
                .json("{\"total\": 1e2}")
                .header("ce_tenant", "\"blue\"")
                .header("plain", "value")
                .build());

        assertThat(wire.properties().getContentType()).isEqualTo("application/cloudevents+json");
        assertThat(wire.properties().getType()).isEqualTo("com.example.orders.Placed");
        assertThat(wire.properties().getHeaders()).isEqualTo(Map.of("plain", "value"));
        assertThat(wire.body())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"specversion\":\"1.0\",\"id\":\"" + ID + "\",\"source\":\"/default\","
                        + "\"type\":\"com.example.orders.Placed\",\"tenant\":\"\\\"blue\\\"\","
                        + "\"datacontenttype\":\"application/json\",\"partitionkey\":\"order-17\","
                        + "\"data\":{\"total\": 1e2}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/cloudevents+json",
                "application/CloudEvents+JSON",
                "application/cloudevents+json; charset=utf-8"
            })
    void sendsAMessageWithTheContentTypeOfStructuredEventsAsOne(String contentType) {
        WireMessage wire = BINARY.write(message()
                .contentType(contentType)
                .payload("[1]".getBytes(StandardCharsets.UTF_8))
                .build());

        assertThat(wire.body())
                .asString(StandardCharsets.UTF_8)
                .contains("\"datacontenttype\":\"application/json\"")
                .endsWith(",\"data\":[1]}");
        assertThat(readBack(wire).payload()).asString(StandardCharsets.UTF_8).isEqualTo("[1]");
    }

    @Test
    void readsBackWhatItWroteInEitherMode() {
        for (EventMapping mapping : List.of(BINARY, STRUCTURED)) {
            for (String contentType : List.of("application/json; charset=utf-8", "application/octet-stream")) {
                OutboxMessage sent = message()
                        .key("Schlüssel")
                        .contentType(contentType)
                        .payload("{\"größe\":[1,{}]}".getBytes(StandardCharsets.UTF_8))
                        .header("ce_tenant", "blau\tgrün".replace('\t', ' '))
                        .header(Headers.SUBJECT, "日本")
                        .header(Headers.TIME, "2026-01-28T15:04:05.123456789+02:00")
                        .header("plain", "line\nbreak")
                        .correlationId("c")
                        .build();

                OutboxMessage read = readBack(mapping.write(sent));

                assertThat(read.id()).isEqualTo(sent.id());
                assertThat(read.type()).isEqualTo(sent.type());
                assertThat(read.key()).isEqualTo(sent.key());
                assertThat(read.contentType()).isEqualTo(sent.contentType());
                assertThat(read.payload()).isEqualTo(sent.payload());
                assertThat(read.headers().asMap())
                        .containsAllEntriesOf(sent.headers().asMap())
                        .hasSize(sent.headers().asMap().size() + 1);
            }
        }
    }

    @Test
    void refusesAPayloadThatWouldBreakTheObjectAroundIt() {
        OutboxMessage broken = message()
                .checkJson(false)
                .json("{\"a\": 1}, \"id\": \"forged\"")
                .build();

        assertThatThrownBy(() -> STRUCTURED.write(broken))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("payload")
                .hasMessageNotContaining("forged");
    }

    @Test
    void refusesNamesThatAmqpHasNoRoomFor() {
        String long256 = "x".repeat(256);

        assertThatThrownBy(() -> BINARY.write(message().header(long256, "v").build()))
                .hasMessageContaining("header name")
                .hasMessageContaining("256")
                .hasMessageContaining("255");
        EventMapping mapping = new EventMapping(
                EventMode.BINARY, Routing.BY_TOPIC_AND_TYPE.withRoutingKey(m -> long256), "/default", true);
        assertThatThrownBy(() -> mapping.write(message().build())).hasMessageContaining("routing key");
    }

    @Test
    void refusesAPlainHeaderThatWouldBeTakenForAnAttribute() {
        assertThatThrownBy(() ->
                        BINARY.write(message().header("cloudEvents:id", "other").build()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("cloudEvents:id");
    }

    private static OutboxMessage readBack(WireMessage wire) {
        return EventMapping.read(wire.exchange(), wire.properties(), wire.body());
    }
}
