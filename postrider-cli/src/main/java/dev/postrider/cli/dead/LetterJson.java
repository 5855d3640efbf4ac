package dev.postrider.cli.dead;

import dev.postrider.cli.output.Fields;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.util.Base64;

/** A dead letter for programs. Payload and headers are left out unless they are asked for. */
public final class LetterJson {

    private LetterJson() {}

    public static Fields fields(DeadLetter letter, boolean withPayload) {
        OutboxMessage message = letter.message();
        Fields fields = new Fields()
                .with("id", message.id())
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
                .with("payload_bytes", message.payload().length);
        return withPayload
                ? fields.with("headers", message.headers().asMap())
                        .with("payload_base64", Base64.getEncoder().encodeToString(message.payload()))
                : fields;
    }
}
