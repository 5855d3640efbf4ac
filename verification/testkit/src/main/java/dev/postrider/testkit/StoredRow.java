package dev.postrider.testkit;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A message as the in-memory store keeps it.
 *
 * @param problem why it cannot be read as a message, if so; then {@code message} is only what can be shown of it
 */
record StoredRow(RowRef ref, OutboxMessage message, Instant createdAt, Optional<String> problem) {

    /** A row with a message that was enqueued. */
    StoredRow(RowRef ref, OutboxMessage message, Instant createdAt) {
        this(ref, withoutOptions(message), createdAt, Optional.empty());
    }

    /** Due time and dedup key are not part of what is stored. */
    private static OutboxMessage withoutOptions(OutboxMessage message) {
        OutboxMessage.Builder builder = OutboxMessage.builder(message.topic(), message::id)
                .type(message.type())
                .headers(message.headers())
                .contentType(message.contentType())
                .payload(message.payload());
        message.key().ifPresent(builder::key);
        return builder.build();
    }
}
