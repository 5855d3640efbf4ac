package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.Optional;

/** What a row held: a message, or something that cannot become one. */
@Internal
public sealed interface RowContent {

    RowRef ref();

    Instant createdAt();

    /** As a row of the hot table. */
    OutboxRow hot(KeyState keyState);

    record Readable(RowRef ref, OutboxMessage message, Instant createdAt) implements RowContent {
        @Override
        public OutboxRow hot(KeyState keyState) {
            return new OutboxRow.Hot(ref, message, createdAt, keyState);
        }
    }

    /** The reason names field, length and limit. */
    record Unreadable(RowRef ref, Optional<String> key, Instant createdAt, String reason) implements RowContent {
        @Override
        public OutboxRow hot(KeyState keyState) {
            return new OutboxRow.Unreadable(ref, key, createdAt, keyState, reason);
        }
    }
}
