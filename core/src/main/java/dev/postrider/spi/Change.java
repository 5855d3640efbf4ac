package dev.postrider.spi;

import java.time.Duration;

/**
 * One outcome to record for one row, inside the database.
 *
 * <p>Every change names its row by lane, seq and id, and touches nothing when that row is gone. Times are durations, added
 * to the database's clock.
 */
public sealed interface Change {

    RowRef row();

    /** A hot row was delivered: move it to the audit trail. (Without audit trail see {@link Settlements#delete}.) */
    record Keep(RowRef row) implements Change {}

    /** A hot row failed at a destination: move it to the held table, due after the delay. */
    record Hold(RowRef row, String destination, int attempts, String error, Duration delay) implements Change {}

    /** An earlier message of its key is held for the same destination: move the hot row to the held table behind it. */
    record HoldBehind(RowRef row, String destination) implements Change {}

    /** A held row failed again. */
    record HoldAgain(RowRef row, int attempts, String error, Duration delay) implements Change {}

    /** A held row was delivered: remove it, or move it to the audit trail. The next of its line becomes due at once. */
    record DeliverHeld(RowRef row, boolean keep) implements Change {}

    /** Give up a row of the hot table ({@code held} false) or of the held table. */
    record Bury(RowRef row, boolean held, DeadReason reason, int attempts, String error) implements Change {}

    /**
     * Blocks the key of a row at its destination until an operator acts: the row is held (moved there if {@code held} is
     * false) with a due time that never comes, and {@link HeldMessages#unblock} ends that. What comes after it in its line
     * waits; an earlier message that commits late still goes out.
     */
    record Block(RowRef row, String destination, boolean held, int attempts, String error) implements Change {}

    /** Why a message was given up. */
    enum DeadReason {
        /** The destination refused it for good. */
        REJECTED,
        /** All attempts failed. */
        ATTEMPTS_EXHAUSTED,
        /** The row cannot be read as a message. */
        UNREADABLE,
        /** A reason that this version does not know: a newer or older version gave the message up. */
        OTHER
    }
}
