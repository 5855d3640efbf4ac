package dev.postrider.spi;

import dev.postrider.message.MessageId;

/**
 * Points at one row of the hot table or of the held table.
 *
 * <p>The id is part of it because a database that failed over may hand out the same seq again.
 */
public record RowRef(int lane, long seq, MessageId id) {}
