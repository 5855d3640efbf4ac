package dev.postrider.bench.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * What a destination sends for one message of a benchmark's outbox, byte for byte, in memory.
 *
 * @param attributes of the CloudEvent, in their order
 */
public record BareMessage(String id, String key, String contentType, Map<String, String> attributes, byte[] payload) {

    /** This many messages with this payload, spread over {@code keys} keys. */
    public static List<BareMessage> list(int messages, byte[] payload, int keys) {
        return IntStream.range(0, messages)
                .mapToObj(n -> of("order-" + n % keys, payload))
                .toList();
    }

    private static BareMessage of(String key, byte[] payload) {
        String id = UUID.randomUUID().toString();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", id);
        attributes.put("source", "/orders");
        attributes.put("type", "com.example.OrderPlaced");
        attributes.put("time", "2026-01-31T12:00:00.123456Z");
        return new BareMessage(id, key, "application/json", attributes, payload);
    }
}
