package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** What goes over the wire, byte for byte: consumers in other languages rely on it. */
class RecordWriterTest {

    private static final MessageId ID = MessageId.of("0190a3f2-0000-7000-8000-000000000001");

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders")
                .id(ID)
                .key("order-17")
                .type("com.example.OrderPlaced")
                .json("{\"total\": 42.10}");
    }

    private static ProducerRecord<byte[], byte[]> cloudEvent(OutboxMessage.Builder message) {
        return WireFormat.CLOUD_EVENTS.writer("/shop").write(message.build(), "kafka-orders");
    }

    private static ProducerRecord<byte[], byte[]> plain(OutboxMessage.Builder message) {
        return WireFormat.PLAIN.writer("/shop").write(message.build(), "kafka-orders");
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers()
                .forEach(header -> assertThat(headers.put(header.key(), text(header.value())))
                        .isNull());
        return headers;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Test
    void writesCloudEventsInBinaryMode() {
        ProducerRecord<byte[], byte[]> record = cloudEvent(message()
                .header(Headers.SUBJECT, "order 17 ü")
                .header(Headers.TRACE_PARENT, "00-1-2-01")
                .header("X-Region", "eu")
                .correlationId("c-1"));

        assertThat(record.topic()).isEqualTo("kafka-orders");
        assertThat(record.partition()).isNull();
        assertThat(text(record.key())).isEqualTo("order-17");
        assertThat(text(record.value())).isEqualTo("{\"total\": 42.10}");
        assertThat(headers(record))
                .containsExactly(
                        entry("ce_specversion", "1.0"),
                        entry("ce_id", ID.toString()),
                        entry("ce_source", "/shop"),
                        entry("ce_type", "com.example.OrderPlaced"),
                        entry("ce_subject", "order 17 ü"),
                        entry("ce_correlationid", "c-1"),
                        entry("content-type", "application/json"),
                        entry("traceparent", "00-1-2-01"),
                        entry("X-Region", "eu"));
    }

    @Test
    void writesOneObjectWhereTheContentTypeSaysSo() {
        ProducerRecord<byte[], byte[]> record = cloudEvent(message()
                .contentType("application/cloudevents+json; charset=utf-8")
                .header("X-Region", "eu"));

        assertThat(text(record.value())).isEqualTo("""
                        {"specversion":"1.0","id":"%s","source":"/shop","type":"com.example.OrderPlaced",\
                        "datacontenttype":"application/json","partitionkey":"order-17","data":{"total": 42.10}}""".formatted(ID));
        assertThat(headers(record))
                .containsOnly(
                        entry("content-type", "application/cloudevents+json; charset=utf-8"), entry("X-Region", "eu"));
    }

    @Test
    void writesAnEmptyPayloadAsAValueAndNotAsATombstone() {
        ProducerRecord<byte[], byte[]> record =
                cloudEvent(OutboxMessage.builder("orders").type("t"));

        assertThat(record.value()).isEmpty();
        assertThat(record.key()).isNull();
    }

    @Test
    void refusesAHeaderThatContradictsTheContentType() {
        assertThatThrownBy(() -> cloudEvent(message().header("content-type", "text/plain")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("content-type");
        assertThat(headers(cloudEvent(message().header("content-type", "application/json"))))
                .containsEntry("content-type", "application/json");
    }

    @Test
    void writesThePlainEnvelopeWithThePayloadAsItWas() {
        ProducerRecord<byte[], byte[]> record =
                plain(message().header(Headers.AGGREGATE_TYPE, "order").header("X-Region", "eu"));

        assertThat(text(record.key())).isEqualTo("order-17");
        assertThat(text(record.value())).isEqualTo("""
                        {"event_id":"%s","aggregate_type":"order","aggregate_id":"order-17",\
                        "event_type":"com.example.OrderPlaced","payload":{"total": 42.10}}""".formatted(ID));
        Map<String, String> headers = headers(record);
        assertThat(Instant.parse(headers.remove("timestamp"))).isBeforeOrEqualTo(Instant.now());
        assertThat(headers)
                .containsExactly(
                        entry("event_id", ID.toString()),
                        entry("event_type", "com.example.OrderPlaced"),
                        entry("aggregate_type", "order"),
                        entry("content-type", "application/json"),
                        entry("aggregatetype", "order"),
                        entry("X-Region", "eu"));
    }

    @Test
    void writesNoPayloadAsNullInThePlainEnvelope() {
        assertThat(text(plain(message().json("")).value())).endsWith(",\"payload\":null}");
    }

    @Test
    void refusesWhatDoesNotFitIntoAJsonEnvelope() {
        assertThatThrownBy(() -> plain(message().contentType("text/plain")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("text/plain")
                .hasMessageContaining("CLOUD_EVENTS");
        assertThatThrownBy(() -> plain(message().checkJson(false).json("{\"total\":")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("no valid JSON");
        assertThatThrownBy(() -> plain(message().payload(new byte[] {'"', (byte) 0xC3, '"'})))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> plain(message().header("timestamp", "mine")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("'timestamp'");
    }

    @Test
    void acceptsStructuredSuffixesAndParametersAsJson() {
        assertThat(text(plain(message().contentType("application/vnd.shop+json; charset=utf-8"))
                        .value()))
                .contains("\"payload\":{\"total\": 42.10}");
    }
}
