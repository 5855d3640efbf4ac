package dev.postrider.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The identity of a message: 128 bits, by default a UUIDv7.
 *
 * <p>It travels with the message to the broker and stays the same on every redelivery, so that a consumer can recognise a
 * duplicate. It reads and prints three forms: 16 bytes, 32 hex digits and the usual 36 characters. Any 128-bit value is
 * accepted; the version bits are not checked, because writers in other languages choose their own. Ordered as unsigned
 * numbers, which for UUIDv7 is the order of time.
 */
public record MessageId(long mostSignificantBits, long leastSignificantBits) implements Comparable<MessageId> {

    private static final int BYTES = 16;
    private static final long VERSION_8 = 0x8000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final HexFormat HEX = HexFormat.of();

    /** Reads the 36-character form, {@code 0190a3f2-…}, or the same 32 hex digits without dashes, in either case. */
    public static MessageId parse(String text) {
        if (text == null) {
            throw malformed("null");
        }
        return switch (text.length()) {
            case 32 -> parseHex(text, text);
            case 36 -> parseHex(withoutDashes(text), text);
            default -> throw malformed("text of " + text.length() + " characters");
        };
    }

    /** Reads exactly 16 bytes, the most significant first. */
    public static MessageId fromBytes(byte[] bytes) {
        if (bytes == null) {
            throw malformed("null");
        }
        if (bytes.length != BYTES) {
            throw malformed(bytes.length + " bytes");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new MessageId(buffer.getLong(), buffer.getLong());
    }

    public static MessageId fromUuid(UUID uuid) {
        if (uuid == null) {
            throw malformed("null");
        }
        return new MessageId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /**
     * The id of something that has another kind of id elsewhere: always the same for the same name. A UUIDv8 of the first 16
     * bytes of SHA-256.
     */
    public static MessageId fromName(String name) {
        if (name == null) {
            throw malformed("null");
        }
        ByteBuffer hash = ByteBuffer.wrap(Lane.sha256().digest(name.getBytes(StandardCharsets.UTF_8)));
        return new MessageId(
                (hash.getLong() & ~0xF000L) | VERSION_8, (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | VARIANT);
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(mostSignificantBits)
                .putLong(leastSignificantBits)
                .array();
    }

    public UUID toUuid() {
        return new UUID(mostSignificantBits, leastSignificantBits);
    }

    /** The 32 lower-case hex digits. */
    public String toHex() {
        return HEX.toHexDigits(mostSignificantBits) + HEX.toHexDigits(leastSignificantBits);
    }

    /** The canonical 36 characters, lower case. */
    @Override
    public String toString() {
        return toUuid().toString();
    }

    @Override
    public int compareTo(MessageId other) {
        int byMost = Long.compareUnsigned(mostSignificantBits, other.mostSignificantBits);
        return byMost != 0 ? byMost : Long.compareUnsigned(leastSignificantBits, other.leastSignificantBits);
    }

    private static String withoutDashes(String text) {
        for (int position : new int[] {8, 13, 18, 23}) {
            if (text.charAt(position) != '-') {
                throw malformed("'" + text + "'");
            }
        }
        return text.substring(0, 8)
                + text.substring(9, 13)
                + text.substring(14, 18)
                + text.substring(19, 23)
                + text.substring(24);
    }

    private static MessageId parseHex(String digits, String original) {
        try {
            return new MessageId(
                    HexFormat.fromHexDigitsToLong(digits, 0, 16), HexFormat.fromHexDigitsToLong(digits, 16, 32));
        } catch (IllegalArgumentException notHex) {
            throw malformed("'" + original + "'");
        }
    }

    private static InvalidMessageException malformed(String what) {
        return new InvalidMessageException("id", "is " + what + ", expected 16 bytes, 32 hex digits or 36 characters");
    }
}
