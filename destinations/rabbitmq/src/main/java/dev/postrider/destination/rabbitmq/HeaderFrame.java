package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.spi.DeliveryResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The frame with a message's properties and headers, which cannot be split. */
final class HeaderFrame {

    /** Frame header and end, class, weight, body size, flags, delivery mode and the lengths of properties and table. */
    private static final int FIXED_BYTES = 64;

    /** Before each header: the length of its name, the type and the length of its value. */
    private static final int BYTES_PER_HEADER = 6;

    private HeaderFrame() {}

    /** Why these headers cannot be sent on a connection with frames of this size; 0 means no limit. */
    static Optional<DeliveryResult> refusal(WireMessage wire, int maxFrameBytes) {
        // A character has at most three bytes, and most messages are far from the limit: spares encoding them.
        if (maxFrameBytes == 0 || 3L * characters(wire.properties()) + FIXED_BYTES <= maxFrameBytes) {
            return Optional.empty();
        }
        long bytes = bytes(wire.properties());
        return bytes <= maxFrameBytes
                ? Optional.empty()
                : Optional.of(DeliveryResult.reject(
                        "The headers are too large: %d bytes, frames of this connection have %d; see the broker's frame_max"
                                .formatted(bytes, maxFrameBytes)));
    }

    private static long characters(BasicProperties properties) {
        long sum = 3L * 255;
        for (Map.Entry<String, Object> header : properties.getHeaders().entrySet()) {
            sum += BYTES_PER_HEADER
                    + header.getKey().length()
                    + String.valueOf(header.getValue()).length();
        }
        return sum;
    }

    private static long bytes(BasicProperties properties) {
        return FIXED_BYTES
                + utf8(properties.getMessageId())
                + utf8(properties.getType())
                + utf8(properties.getContentType())
                + bytes(properties.getHeaders());
    }

    /** About how many; nested values have more or less the length of their text. */
    static long bytes(Map<String, Object> headers) {
        long sum = 0;
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            sum += BYTES_PER_HEADER + utf8(header.getKey()) + utf8(String.valueOf(header.getValue()));
        }
        return sum;
    }

    private static long utf8(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
