package dev.postrider.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * What a destination sends for one message of a {@link BenchOutbox}, byte for byte, in memory.
 *
 * @param attributes of the CloudEvent, in their order
 */
record BareMessage(String id, String key, String contentType, Map<String, String> attributes, byte[] payload) {

    static List<BareMessage> list(int messages, int bytes) {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, "x".getBytes(StandardCharsets.US_ASCII)[0]);
        return IntStream.range(0, messages).mapToObj(n -> of(n, payload)).toList();
    }

    private static BareMessage of(int number, byte[] payload) {
        String id = UUID.randomUUID().toString();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", id);
        attributes.put("source", "/orders");
        attributes.put("type", "com.example.OrderPlaced");
        return new BareMessage(id, "order-" + number % 10_000, "application/json", attributes, payload);
    }
}
