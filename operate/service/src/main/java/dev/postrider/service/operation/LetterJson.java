package dev.postrider.service.operation;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadLetters.RawContent;
import dev.postrider.spi.StoreException;
import java.util.Base64;

/**
 * A dead letter for programs. Payload and headers are left out unless they are asked for. Of one that cannot be read as a message
 * they are the stored bytes.
 */
public final class LetterJson {

    private LetterJson() {}

    public static Fields fields(DeadLetter letter, boolean withPayload) {
        OutboxMessage message = letter.message();
        Fields fields = new Fields()
                .with("id", message.id().text())
                .with("topic", message.topic())
                .with("key", message.key())
                .with("type", message.type())
                .with("content_type", message.contentType())
                .with("lane", letter.ref().lane())
                .with("seq", letter.ref().seq())
                .with("reason", letter.reason().name())
                .with("attempts", letter.attempts())
                .with("error", letter.error())
                .with("created_at", letter.createdAt())
                .with("first_failed_at", letter.firstFailedAt())
                .with("died_at", letter.diedAt())
                .with("retry_requested", letter.retryRequested())
                .with("readable", letter.isReadable());
        if (!letter.isReadable()) {
            return fields;
        }
        fields.with("payload_bytes", message.payload().length);
        return withPayload
                ? fields.with("headers", message.headers().asMap()).with("payload_base64", base64(message.payload()))
                : fields;
    }

    /** With headers and payload, byte for byte if need be. */
    public static Fields withContent(DeadLetter letter, DeadLetters letters) {
        Fields fields = fields(letter, true);
        if (letter.isReadable()) {
            return fields;
        }
        RawContent raw = letters.raw(letter.ref())
                .orElseThrow(
                        () -> new StoreException(("Dead letter %s cannot be read as a message, and its bytes cannot be"
                                        + " exported from this outbox. Copy its row with SQL before you discard it")
                                .formatted(letter.ref().id())));
        return fields.with("headers_base64", raw.headers().map(LetterJson::base64))
                .with("payload_bytes", raw.payload().length)
                .with("payload_base64", base64(raw.payload()));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
