package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;
import java.util.Optional;

/**
 * What was fetched, with what the user's functions say of it.
 *
 * @param message a stand-in if the item is no message
 * @param problem why the item is no message, if so
 */
record Item<T>(
        T value,
        MessageId id,
        Optional<String> key,
        long sequence,
        Instant createdAt,
        OutboxMessage message,
        Optional<String> problem) {}
