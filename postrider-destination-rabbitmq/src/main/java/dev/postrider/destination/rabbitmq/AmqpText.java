package dev.postrider.destination.rabbitmq;

import dev.postrider.message.InvalidMessageException;
import java.nio.charset.StandardCharsets;

/** The short strings of AMQP: names and properties of at most 255 bytes. */
final class AmqpText {

    private static final int MAX_BYTES = 255;

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
}
