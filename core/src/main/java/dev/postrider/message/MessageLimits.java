package dev.postrider.message;

import dev.postrider.internal.Readable;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * How large the parts of a message may be that have no fixed limit.
 *
 * <p>Checked before anything is written. The relay applies the same limits to rows that others wrote: a larger one becomes
 * a dead letter inside the database, without being read into memory.
 *
 * @param maxPayloadBytes the largest payload; default 1 MiB, at most 64 MiB
 * @param maxHeaderBytes the largest sum of all header names and values in UTF-8; default 64 KiB, at most 1 MiB
 */
public record MessageLimits(int maxPayloadBytes, int maxHeaderBytes) {

    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public MessageLimits {
        requireRange("maxPayloadBytes", maxPayloadBytes, 64 * MIB);
        requireRange("maxHeaderBytes", maxHeaderBytes, MIB);
    }

    public static MessageLimits defaults() {
        return new MessageLimits(MIB, 64 * KIB);
    }

    public MessageLimits withMaxPayloadBytes(int bytes) {
        return new MessageLimits(bytes, maxHeaderBytes);
    }

    public MessageLimits withMaxHeaderBytes(int bytes) {
        return new MessageLimits(maxPayloadBytes, bytes);
    }

    /** Refuses a message that is too large, naming the field, its length and the limit. */
    public void check(OutboxMessage message) {
        requireWithin("payload", message.payload().length, maxPayloadBytes);
        requireWithin("headers", headerBytes(message), maxHeaderBytes);
    }

    /** Whether a message is within them. */
    public boolean allow(OutboxMessage message) {
        return message.payload().length <= maxPayloadBytes && headerBytes(message) <= maxHeaderBytes;
    }

    private static long headerBytes(OutboxMessage message) {
        long bytes = 0;
        for (Map.Entry<String, String> header : message.headers().asMap().entrySet()) {
            bytes += utf8Length(header.getKey()) + utf8Length(header.getValue());
        }
        return bytes;
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void requireWithin(String field, long bytes, int limit) {
        if (bytes > limit) {
            throw new InvalidMessageException(
                    field,
                    "is %s bytes long, the limit is %s; raise MessageLimits or store it elsewhere"
                            .formatted(Readable.grouped(bytes), Readable.bytes(limit)));
        }
    }

    private static void requireRange(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " is " + value + ", expected 1 to " + max);
        }
    }
}
