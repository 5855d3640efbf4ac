package dev.postrider.store.jdbc;

import dev.postrider.message.OutboxMessage;

/** What a row held: a message, or something that cannot become one. */
public sealed interface RowContent {

    record Readable(OutboxMessage message) implements RowContent {}

    /** The reason names field, length and limit. */
    record Unreadable(String reason) implements RowContent {}
}
