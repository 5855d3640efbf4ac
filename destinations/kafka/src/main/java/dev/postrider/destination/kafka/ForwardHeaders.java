package dev.postrider.destination.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What a receiver adds to a record that it sends to a retry or parking topic: where it came from, how often and why it failed. */
final class ForwardHeaders {

    /** How often it was handed over. */
    static final String ATTEMPTS = "postrider-attempts";
    /** Why the last attempt failed, one sentence. */
    static final String REASON = "postrider-reason";
    /** The consumer group whose handler failed. */
    static final String GROUP = "postrider-group";
    /** The topic from which it came first. */
    static final String TOPIC = "postrider-topic";
    /** Partition and offset there, such as {@code 3@1207}. */
    static final String POSITION = "postrider-position";

    private static final Set<String> ALL = Set.of(ATTEMPTS, REASON, GROUP, TOPIC, POSITION);
    private static final int MAX_REASON = 1024;

    private ForwardHeaders() {}

    /** The record again, key, value and headers unchanged, for another topic. */
    static ProducerRecord<byte[], byte[]> forward(
            ConsumerRecord<byte[], byte[]> record, String target, String group, int attempts, String reason) {
        RecordHeaders headers = new RecordHeaders(withoutOwn(record.headers()));
        add(headers, ATTEMPTS, Integer.toString(attempts));
        add(headers, REASON, reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason);
        add(headers, GROUP, group);
        add(headers, TOPIC, text(record, TOPIC).orElse(record.topic()));
        add(headers, POSITION, text(record, POSITION).orElse(record.partition() + "@" + record.offset()));
        return new ProducerRecord<>(target, null, null, record.key(), record.value(), headers);
    }

    private static void add(RecordHeaders headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    static Headers withoutOwn(Headers headers) {
        RecordHeaders rest = new RecordHeaders();
        for (Header header : headers) {
            if (!ALL.contains(header.key())) {
                rest.add(header);
            }
        }
        return rest;
    }

    static int attempts(ConsumerRecord<byte[], byte[]> record) {
        try {
            return text(record, ATTEMPTS)
                    .map(Integer::parseInt)
                    .filter(count -> count >= 0)
                    .orElse(0);
        } catch (NumberFormatException notOurs) {
            return 0;
        }
    }

    static Optional<String> text(ConsumerRecord<byte[], byte[]> record, String name) {
        return Optional.ofNullable(record.headers().lastHeader(name))
                .map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8));
    }
}
