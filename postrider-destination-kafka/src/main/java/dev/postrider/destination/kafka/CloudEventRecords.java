package dev.postrider.destination.kafka;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Records in the binary mode of the CloudEvents binding for Kafka, in both directions. */
final class CloudEventRecords implements RecordWriter {

    private static final String PREFIX = "ce_";

    private final String defaultSource;

    CloudEventRecords(String defaultSource) {
        this.defaultSource = defaultSource;
    }

    @Override
    public ProducerRecord<byte[], byte[]> write(OutboxMessage message, String topic) {
        CloudEventAttributes event = CloudEventAttributes.of(message, defaultSource);
        RecordHeaders headers = new RecordHeaders();
        event.asMap().forEach((name, value) -> headers.add(PREFIX + name, RecordWriter.utf8(value)));
        headers.add(CONTENT_TYPE, RecordWriter.utf8(event.dataContentType()));
        RecordWriter.addOwn(headers, event.plainHeaders().asMap().entrySet());
        return RecordWriter.record(message, topic, message.payload(), headers);
    }

    /** The message that a record carries; what {@link #write} wrote comes back as it was. */
    static OutboxMessage read(ConsumerRecord<byte[], byte[]> record) {
        return message(attributes(record.headers()), record, record.topic());
    }

    /**
     * The attributes in the headers of a record.
     *
     * @throws dev.postrider.message.InvalidMessageException if the record is no CloudEvent
     */
    static CloudEventAttributes attributes(Iterable<Header> headers) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Map<String, String> plain = new LinkedHashMap<>();
        for (Header header : headers) {
            boolean isAttribute = header.key().startsWith(PREFIX);
            String name = isAttribute ? header.key().substring(PREFIX.length()) : header.key();
            // Other producers may write headers without a value; those say nothing.
            if (header.value() != null) {
                (isAttribute ? attributes : plain).put(name, text(header.value()));
            }
        }
        String contentType = Objects.requireNonNullElse(plain.remove(CONTENT_TYPE), OutboxMessage.DEFAULT_CONTENT_TYPE);
        return CloudEventAttributes.of(attributes, contentType, Headers.of(plain));
    }

    static OutboxMessage message(CloudEventAttributes event, ConsumerRecord<byte[], byte[]> record, String topic) {
        OutboxMessage.Builder message =
                event.toMessage(topic).payload(record.value() == null ? new byte[0] : record.value());
        return record.key() == null
                ? message.build()
                : message.key(text(record.key())).build();
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
