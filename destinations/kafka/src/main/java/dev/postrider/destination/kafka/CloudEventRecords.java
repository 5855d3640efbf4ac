package dev.postrider.destination.kafka;

import dev.postrider.internal.Utf8;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.StructuredEvent;
import dev.postrider.spi.internal.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records of the CloudEvents binding for Kafka, in both directions: in structured mode those whose content type says so, all others in
 * binary mode.
 */
final class CloudEventRecords implements RecordWriter {

    private static final String PREFIX = "ce_";

    private final String defaultSource;

    CloudEventRecords(String defaultSource) {
        this.defaultSource = defaultSource;
    }

    @Override
    public ProducerRecord<byte[], byte[]> write(OutboxMessage message, String topic) {
        CloudEventAttributes event = CloudEventAttributes.of(message, defaultSource);
        boolean isStructured = StructuredEvent.isStructured(event.dataContentType());
        RecordHeaders headers = new RecordHeaders();
        if (!isStructured) {
            event.asMap().forEach((name, value) -> headers.add(headerOf(name), RecordWriter.utf8(value)));
        }
        headers.add(CONTENT_TYPE, RecordWriter.utf8(event.dataContentType()));
        RecordWriter.addOwn(headers, event.plainHeaders().asMap().entrySet());
        byte[] value = isStructured ? StructuredEvent.write(event, message) : message.payload();
        return RecordWriter.record(message, topic, value, headers);
    }

    /** The headers of attributes that every event has are constants, not put together for each record. */
    private static String headerOf(String attribute) {
        return switch (attribute) {
            case "specversion" -> "ce_specversion";
            case "id" -> "ce_id";
            case "source" -> "ce_source";
            case "type" -> "ce_type";
            default -> PREFIX + attribute;
        };
    }

    /** The message that a record carries; what {@link #write} wrote comes back as it was. */
    static OutboxMessage read(ConsumerRecord<byte[], byte[]> record) {
        return read(record, record.headers(), record.topic()).message();
    }

    /**
     * What a record says.
     *
     * @param headers those of the record that are its producer's
     * @throws InvalidMessageException if the record is no CloudEvent
     */
    static ReceivedEvent read(ConsumerRecord<byte[], byte[]> record, Iterable<Header> headers, String topic) {
        Map<String, byte[]> attributes = new LinkedHashMap<>();
        Map<String, String> plain = new LinkedHashMap<>();
        for (Header header : headers) {
            // Other producers may write headers without a value; those say nothing.
            if (header.value() != null && header.key().startsWith(PREFIX)) {
                attributes.put(header.key().substring(PREFIX.length()), header.value());
            } else if (header.value() != null) {
                plain.put(header.key(), text(header.value()));
            }
        }
        String contentType = Objects.requireNonNullElse(plain.remove(CONTENT_TYPE), OutboxMessage.DEFAULT_CONTENT_TYPE);
        byte[] value = Objects.requireNonNullElse(record.value(), new byte[0]);
        Optional<String> key = Optional.ofNullable(record.key()).map(CloudEventRecords::text);
        if (StructuredEvent.isStructured(contentType)) {
            StructuredEvent read = StructuredEvent.read(value, Headers.of(plain));
            return ReceivedEvent.of(read.attributes(), topic, key.or(read::key), read.payload());
        }
        CloudEventAttributes event = CloudEventAttributes.of(texts(attributes), contentType, Headers.of(plain));
        return ReceivedEvent.of(event, topic, key, value);
    }

    /** Strictly: guessing could make two ids the same. */
    private static Map<String, String> texts(Map<String, byte[]> attributes) {
        Map<String, String> texts = new LinkedHashMap<>();
        attributes.forEach((name, value) -> texts.put(
                name, Utf8.decode(value).orElseThrow(() -> new InvalidMessageException(name, "is not UTF-8"))));
        return texts;
    }

    /** Of keys and headers that say nothing to us: what is no UTF-8 has replacement characters. */
    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
