package dev.postrider.destination.kafka;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Turns a message into a record. */
interface RecordWriter {

    String CONTENT_TYPE = "content-type";

    /**
     * The record of this message. Its partition is left to the key, its time to the producer.
     *
     * @throws InvalidMessageException if the message has no such form; the text says why
     */
    ProducerRecord<byte[], byte[]> write(OutboxMessage message, String topic);

    /** A record with the message's key; never a tombstone, since an empty payload is a value too. */
    static ProducerRecord<byte[], byte[]> record(OutboxMessage message, String topic, byte[] value, Headers headers) {
        byte @Nullable [] key = message.key().map(RecordWriter::utf8).orElse(null);
        return new ProducerRecord<>(topic, null, null, key, value, headers);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Adds the message's own headers, none of which may take the place of one that has a meaning here. */
    static void addOwn(RecordHeaders headers, Iterable<Map.Entry<String, String>> own) {
        for (var header : own) {
            byte[] value = utf8(header.getValue());
            var taken = headers.lastHeader(header.getKey());
            if (taken == null) {
                headers.add(header.getKey(), value);
            } else if (!Arrays.equals(taken.value(), value)) {
                throw new InvalidMessageException(
                        "headers",
                        "have '" + header.getKey()
                                + "', which on a Kafka record means something else; give it another name");
            }
        }
    }
}
