package dev.postrider.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The rule that puts a message into a lane.
 *
 * <p>The first four bytes of SHA-256 of the key in UTF-8, as an unsigned number, modulo the lane count; a message without a
 * key is placed by the 16 bytes of its id instead. Writers in other languages follow the same rule, so it never changes;
 * {@code docs/reference/lane-vectors.csv} holds test vectors.
 */
public final class Lane {

    /** The largest lane count that a store accepts. */
    public static final int MAX_COUNT = 1024;

    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Lane::sha256);

    private Lane() {}

    public static int forKey(String key, int laneCount) {
        return fold(key.getBytes(StandardCharsets.UTF_8), laneCount);
    }

    public static int forId(MessageId id, int laneCount) {
        return fold(id.toBytes(), laneCount);
    }

    public static int of(OutboxMessage message, int laneCount) {
        return message.key().map(key -> forKey(key, laneCount)).orElseGet(() -> forId(message.id(), laneCount));
    }

    private static int fold(byte[] bytes, int laneCount) {
        if (laneCount == 1) {
            return 0;
        }
        byte[] hash = hash(bytes);
        long first = (hash[0] & 0xFFL) << 24 | (hash[1] & 0xFFL) << 16 | (hash[2] & 0xFFL) << 8 | (hash[3] & 0xFFL);
        return (int) (first % laneCount);
    }

    /** SHA-256 of these bytes. */
    static byte[] hash(byte[] bytes) {
        return SHA_256.get().digest(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
