package dev.postrider.spi;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Instant;
import java.util.Optional;

/** One row as the store read it. */
public sealed interface OutboxRow {

    RowRef ref();

    /** The key of the message, if it has one. */
    Optional<String> key();

    /** When the row was inserted, by the database's clock. */
    Instant createdAt();

    default int lane() {
        return ref().lane();
    }

    default long seq() {
        return ref().seq();
    }

    default MessageId id() {
        return ref().id();
    }

    /** A row with its message. */
    sealed interface Readable extends OutboxRow {

        OutboxMessage message();

        /** How many attempts failed so far. */
        int attempts();

        /** Why it was held last; empty if it was not, or only waits behind another. */
        default String error() {
            return "";
        }

        @Override
        default Optional<String> key() {
            return message().key();
        }
    }

    /**
     * A row of the hot table.
     *
     * @param attempts how many failed so far; more than 0 only in a store that keeps a failed row where it is
     */
    record Hot(RowRef ref, OutboxMessage message, Instant createdAt, KeyState keyState, int attempts)
            implements Readable {

        /** A row that was never tried. */
        public Hot(RowRef ref, OutboxMessage message, Instant createdAt, KeyState keyState) {
            this(ref, message, createdAt, keyState, 0);
        }
    }

    /**
     * A row of the hot table that cannot become a message: too large, or written by someone else in a form that does not
     * parse. Its payload was not read. It is given up at once, with the reason.
     */
    record Unreadable(RowRef ref, Optional<String> key, Instant createdAt, KeyState keyState, String reason)
            implements OutboxRow {}

    /**
     * A row of the held table.
     *
     * @param message if the row cannot be read as a message, what can be shown of it
     * @param attempts how many failed so far
     * @param error why it was held last; empty if it only waits behind another
     * @param unreadable why the row cannot be read as a message: somebody has changed it. It is given up at once
     */
    record Held(
            RowRef ref,
            OutboxMessage message,
            Instant createdAt,
            int attempts,
            String error,
            Optional<String> unreadable)
            implements Readable {

        /** A row that can be read. */
        public Held(RowRef ref, OutboxMessage message, Instant createdAt, int attempts, String error) {
            this(ref, message, createdAt, attempts, error, Optional.empty());
        }
    }
}
