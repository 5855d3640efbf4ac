package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.internal.Utf8;
import dev.postrider.message.Headers;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Records with a JSON envelope, as consumers without CloudEvents know them. */
final class PlainRecords implements RecordWriter {

    @Override
    public ProducerRecord<byte[], byte[]> write(OutboxMessage message, String topic) {
        Map<String, String> envelope = new LinkedHashMap<>();
        envelope.put("event_id", message.id().text());
        envelope.put(
                "aggregate_type", message.headers().get(Headers.AGGREGATE_TYPE).orElse(""));
        envelope.put("aggregate_id", message.key().orElse(""));
        envelope.put("event_type", message.type());
        byte[] value = RecordWriter.utf8(withPayload(HeaderJson.write(envelope), json(message)));
        return RecordWriter.record(message, topic, value, headers(message, envelope));
    }

    /** The payload goes in as it was written: reading and writing it again would change its numbers. */
    private static String withPayload(String envelope, String payload) {
        return envelope.substring(0, envelope.length() - 1) + ",\"payload\":" + payload + "}";
    }

    private static RecordHeaders headers(OutboxMessage message, Map<String, String> envelope) {
        RecordHeaders headers = new RecordHeaders();
        for (String name : new String[] {"event_id", "event_type", "aggregate_type"}) {
            headers.add(name, RecordWriter.utf8(requireNonNull(envelope.get(name))));
        }
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        headers.add("timestamp", RecordWriter.utf8(now));
        headers.add(CONTENT_TYPE, RecordWriter.utf8(message.contentType()));
        Map<String, String> own = new LinkedHashMap<>(message.headers().asMap());
        own.remove(Headers.AS_WRITTEN);
        RecordWriter.addOwn(headers, own.entrySet());
        return headers;
    }

    private static String json(OutboxMessage message) {
        requireJsonType(message.contentType());
        if (message.payload().length == 0) {
            return "null";
        }
        String text = Utf8.decode(message.payload())
                .orElseThrow(() -> new InvalidMessageException("payload", "is said to be JSON, but is not UTF-8"));
        if (!JsonText.isValid(text)) {
            throw new InvalidMessageException(
                    "payload", "is said to be " + message.contentType() + ", but is no valid JSON");
        }
        return text;
    }

    private static void requireJsonType(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.endsWith("+json")) {
            throw new InvalidMessageException(
                    "contentType",
                    "is " + contentType + ", but the plain format carries JSON only; use WireFormat.CLOUD_EVENTS");
        }
    }
}
