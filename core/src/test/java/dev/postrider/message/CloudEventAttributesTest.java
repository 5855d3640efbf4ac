package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventAttributesTest {

    private static final MessageId ID = MessageId.of("0190a3f2-0000-7000-8000-000000000001");

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders").id(ID).type("com.example.OrderPlaced");
    }

    private static CloudEventAttributes attributesOf(OutboxMessage.Builder message) {
        return CloudEventAttributes.of(message.build(), "/shop");
    }

    @Test
    void makesAnEventOfTheFieldsOfAMessage() {
        CloudEventAttributes event = attributesOf(message().json("{}"));

        assertThat(event.asMap())
                .containsExactly(
                        entry("specversion", "1.0"),
                        entry("id", ID.toString()),
                        entry("source", "/shop"),
                        entry("type", "com.example.OrderPlaced"));
        assertThat(event.dataContentType()).isEqualTo("application/json");
        assertThat(event.subject()).isEmpty();
        assertThat(event.extensions()).isEmpty();
    }

    @Test
    void readsAttributesAndExtensionsFromHeaders() {
        CloudEventAttributes event = attributesOf(message()
                .header(Headers.SOURCE, "urn:example:billing")
                .header(Headers.SUBJECT, "Bestellung süß")
                .header(Headers.TIME, "2026-01-31T12:00:00.5+01:00")
                .header(Headers.DATA_SCHEMA, "https://example.com/order.json")
                .header("ce_tenant", "")
                .correlationId("c-1"));

        assertThat(event.source()).isEqualTo("urn:example:billing");
        assertThat(event.subject()).contains("Bestellung süß");
        assertThat(event.time()).contains("2026-01-31T12:00:00.5+01:00");
        assertThat(event.dataSchema()).contains("https://example.com/order.json");
        assertThat(event.extensions()).containsExactly(entry("tenant", ""), entry("correlationid", "c-1"));
        assertThat(event.plainHeaders().isEmpty()).isTrue();
    }

    @Test
    void leavesOtherHeadersAndTheTraceContextPlain() {
        CloudEventAttributes event =
                attributesOf(message().header("X-Region", "eu\nwest").header(Headers.TRACE_PARENT, "00-4bf9-00f0-01"));

        assertThat(event.plainHeaders().asMap())
                .containsExactly(entry("X-Region", "eu\nwest"), entry("traceparent", "00-4bf9-00f0-01"));
        assertThat(event.extensions()).isEmpty();
    }

    @Test
    void acceptsAHeaderThatRepeatsAField() {
        CloudEventAttributes event = attributesOf(
                message().json("{}").header("ce_id", ID.toString()).header("ce_datacontenttype", "application/json"));

        assertThat(event.asMap()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({
        "ce_id, other, 'attribute id a second value'",
        "ce_type, other, 'attribute type a second value'",
        "ce_specversion, 0.3, 'attribute specversion a second value'",
        "ce_datacontenttype, text/plain, 'attribute datacontenttype a second value'",
        "ce_source, 'has space', 'attribute source a value that is no URI reference'",
        "ce_source, '', 'attribute source a value that is empty'",
        "ce_dataschema, /relative, 'attribute dataschema a value that is no absolute URI'",
        "ce_time, yesterday, 'attribute time a value that is no timestamp'",
        "ce_subject, '', 'attribute subject a value that is empty'",
        "ce_myTenant, x, 'attribute ''myTenant'''",
        "ce_my_tenant, x, 'attribute ''my_tenant'''",
        "ce_, x, 'attribute '''''",
        "ce_data, x, 'attribute ''data'''",
    })
    void refusesHeadersThatMakeNoValidAttribute(String header, String value, String problem) {
        assertThatThrownBy(() -> attributesOf(message().header(header, value)))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void refusesControlCharactersInAttributes() {
        assertThatThrownBy(() -> attributesOf(message().header("ce_tenant", "a\nb")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("attribute tenant a value that has a line break");
    }

    @Test
    void refusesTwoValuesForOneExtension() {
        assertThatThrownBy(() -> attributesOf(message().correlationId("a").header("ce_correlationid", "b")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("correlationid");
    }

    @Test
    void turnsAnEventBackIntoTheSameMessage() {
        OutboxMessage sent = message()
                .json("{}")
                .header(Headers.SOURCE, "/billing")
                .header(Headers.SUBJECT, "s")
                .header("ce_tenant", "t")
                .header("X-Region", "eu")
                .header(Headers.TRACE_PARENT, "00-1-2-01")
                .header(Headers.AGGREGATE_TYPE, "order")
                .causationId("cause")
                .build();
        CloudEventAttributes event = CloudEventAttributes.of(sent, "/shop");

        OutboxMessage received = CloudEventAttributes.of(event.asMap(), event.dataContentType(), event.plainHeaders())
                .toMessage("orders")
                .build();

        assertThat(received.id()).isEqualTo(sent.id());
        assertThat(received.type()).isEqualTo(sent.type());
        assertThat(received.contentType()).isEqualTo(sent.contentType());
        assertThat(received.headers()).isEqualTo(sent.headers());
    }

    @Test
    void keepsAForeignId() {
        CloudEventAttributes event = foreign("/x");

        assertThat(event.id()).isEqualTo("order/17");
        assertThat(event.toMessage("orders").build().id().text()).isEqualTo("order/17");
    }

    private static CloudEventAttributes foreign(String source) {
        return CloudEventAttributes.of(
                Map.of("specversion", "1.0", "id", "order/17", "source", source, "type", "t"), "a/b", Headers.none());
    }

    @ParameterizedTest
    @ValueSource(strings = {"specversion", "id", "source", "type"})
    void refusesAnEventWithoutARequiredAttribute(String missing) {
        Map<String, String> attributes =
                new HashMap<>(Map.of("specversion", "1.0", "id", "i", "source", "/x", "type", "t"));
        attributes.remove(missing);

        assertThatThrownBy(() -> CloudEventAttributes.of(attributes, "a/b", Headers.none()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(missing + " is missing");
    }
}
