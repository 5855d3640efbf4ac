package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.LongString;
import dev.postrider.internal.Utf8;
import dev.postrider.message.InvalidMessageException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Text in AMQP: names and properties of at most 255 bytes, and header values of any type. */
final class AmqpText {

    private static final int MAX_BYTES = 255;
    private static final byte[] NONE = {};
    private static final long LARGEST_EXACT_DOUBLE = 1L << 53;

    private AmqpText() {}

    /** The text, if it fits where AMQP has one byte for its length. */
    static String shortString(String field, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new InvalidMessageException(
                    field,
                    "is %d bytes long in UTF-8, AMQP allows %d: %s; shorten it".formatted(bytes, MAX_BYTES, text));
        }
        return text;
    }

    /**
     * What a header says: scalars as text, byte strings in UTF-8, with replacement characters where they are not; nothing for lists and
     * tables, such as the death record of a dead-lettered message.
     */
    static Optional<String> text(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } else if (value instanceof Date time) {
            return Optional.of(time.toInstant().toString());
        }
        if (value instanceof Double number && Math.rint(number) == number && Math.abs(number) < LARGEST_EXACT_DOUBLE) {
            // Systems that know no integers write 3 so.
            return Optional.of(Long.toString(number.longValue()));
        }
        boolean isScalar = value instanceof LongString
                || value instanceof CharSequence
                || value instanceof Number
                || value instanceof Boolean;
        return isScalar ? Optional.of(String.valueOf(value)) : Optional.empty();
    }

    /** The same of an attribute, strictly: guessing could make two ids the same. */
    static Optional<String> attribute(String name, @Nullable Object value) {
        byte[] bytes = value instanceof LongString text ? text.getBytes() : value instanceof byte[] raw ? raw : NONE;
        if (Utf8.decode(bytes).isEmpty()) {
            throw new InvalidMessageException(name, "is not UTF-8");
        }
        return text(value);
    }
}
