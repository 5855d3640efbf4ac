package dev.postrider.message;

import dev.postrider.internal.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a message: a UUIDv7 for our own, any text for one that somebody else chose.
 *
 * <p>It travels with the message to the broker and stays the same on every redelivery, so that a consumer can recognise a
 * duplicate. A foreign id, such as {@code order-42} or a UUID in upper case, keeps its text: nothing is changed on the way.
 *
 * <p>Every id has 128 bits by which stores find it: those of the UUID, or the first 16 bytes of SHA-256 of the text in UTF-8. Two ids
 * are equal if these are. Ordered as unsigned numbers, which for UUIDv7 is the order of time. Immutable and thread-safe.
 */
public final class MessageId implements Comparable<MessageId> {

    private static final int BYTES = 16;
    private static final int UUID_CHARACTERS = 36;
    private static final HexFormat HEX = HexFormat.of();

    private final long mostSignificantBits;
    private final long leastSignificantBits;
    private final @Nullable String foreign;

    /** A UUID of these bits; the version is not checked. */
    public MessageId(long mostSignificantBits, long leastSignificantBits) {
        this(mostSignificantBits, leastSignificantBits, null);
    }

    private MessageId(long mostSignificantBits, long leastSignificantBits, @Nullable String foreign) {
        this.mostSignificantBits = mostSignificantBits;
        this.leastSignificantBits = leastSignificantBits;
        this.foreign = foreign;
    }

    /**
     * The id with this text. A UUID in its usual form, 36 characters in lower case, is stored as such; everything else is a foreign id.
     *
     * @throws InvalidMessageException if it is empty, longer than 1,024 bytes in UTF-8, or has a NUL or half a surrogate pair
     */
    public static MessageId of(String text) {
        if (text != null && isUuid(text)) {
            return fromUuid(UUID.fromString(text));
        }
        String checked = TextField.ID.checked(text);
        return hashed(checked, checked);
    }

    private static MessageId hashed(String name, String text) {
        ByteBuffer hash = ByteBuffer.wrap(Lane.hash(name.getBytes(StandardCharsets.UTF_8)));
        return new MessageId(hash.getLong(), hash.getLong(), text);
    }

    private static boolean isUuid(String text) {
        if (text.length() != UUID_CHARACTERS) {
            return false;
        }
        for (int i = 0; i < UUID_CHARACTERS; i++) {
            char c = text.charAt(i);
            boolean isDash = i == 8 || i == 13 || i == 18 || i == 23;
            if (isDash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }

    /** Reads exactly 16 bytes, the most significant first. */
    public static MessageId fromBytes(byte[] bytes) {
        if (bytes == null || bytes.length != BYTES) {
            throw new InvalidMessageException(
                    "id", "is " + (bytes == null ? "null" : bytes.length + " bytes") + ", expected 16 bytes");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new MessageId(buffer.getLong(), buffer.getLong());
    }

    public static MessageId fromUuid(UUID uuid) {
        if (uuid == null) {
            throw new InvalidMessageException("id", "is null");
        }
        return new MessageId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /** The same id with the text that a store keeps beside the bits of a foreign one. */
    public MessageId withText(String text) {
        return new MessageId(mostSignificantBits, leastSignificantBits, TextField.ID.checked(text));
    }

    /**
     * The identity of an event of this source: a UUID is unique by itself, a foreign id only together with its source. It has the same
     * text and, if foreign, other bits: those of source, a space and text.
     */
    public MessageId within(String source) {
        return foreign == null ? this : hashed(source + " " + foreign, foreign);
    }

    /** The id as it travels: exactly what its producer chose. */
    public String text() {
        return foreign != null ? foreign : toUuid().toString();
    }

    /** The text of an id that is no UUID in its usual form: what a store has to keep beside the bits. */
    public Optional<String> foreignText() {
        return Optional.ofNullable(foreign);
    }

    /** The 128 bits as bytes. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(mostSignificantBits)
                .putLong(leastSignificantBits)
                .array();
    }

    /** The 128 bits as a UUID. */
    public UUID toUuid() {
        return new UUID(mostSignificantBits, leastSignificantBits);
    }

    /** The 128 bits as 32 lower-case hex digits. */
    public String toHex() {
        return HEX.toHexDigits(mostSignificantBits) + HEX.toHexDigits(leastSignificantBits);
    }

    public long mostSignificantBits() {
        return mostSignificantBits;
    }

    public long leastSignificantBits() {
        return leastSignificantBits;
    }

    @Override
    public int compareTo(MessageId other) {
        int byMost = Long.compareUnsigned(mostSignificantBits, other.mostSignificantBits);
        return byMost != 0 ? byMost : Long.compareUnsigned(leastSignificantBits, other.leastSignificantBits);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MessageId id
                && mostSignificantBits == id.mostSignificantBits
                && leastSignificantBits == id.leastSignificantBits;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(mostSignificantBits ^ leastSignificantBits);
    }

    /** For people and logs: {@link #text()} on one line, with control characters escaped. */
    @Override
    public String toString() {
        return foreign != null ? Printable.of(foreign) : toUuid().toString();
    }
}
