package dev.postrider.spi;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the messages of one outbox: the port between the engine and a database.
 *
 * <p>The invariant on which everything rests: a row in the hot table is a committed message that was not yet delivered.
 * Thread-safe. A store throws {@link StoreException} when it cannot say what happened, and {@link LeaseLostException} when a
 * fence refused. It leaves no state in a database session between calls.
 */
public interface OutboxStore {

    /** What to call this outbox in logs and metrics: its table prefix, with the schema where one is set. */
    String name();

    /** How many lanes the outbox has; fixed for its life. */
    int laneCount();

    /** What order a relay may keep over this store. All of them, unless the store says otherwise. */
    default Set<Ordering> orderings() {
        return EnumSet.allOf(Ordering.class);
    }

    /** What to do for an order that is not among {@link #orderings}, as sentences for an error. To choose another, unless the store says otherwise. */
    default String orderingAdvice() {
        return "Choose one of these";
    }

    /** The order that a relay keeps if its options name none. By key, unless the store says otherwise. */
    default Ordering defaultOrdering() {
        return Ordering.PER_KEY;
    }

    /**
     * The number of failed attempts at which a message counts as given up in this store, whatever a relay says; a relay may not try more
     * often. No limit, unless the store says otherwise.
     */
    default int maxSupportedAttempts() {
        return Integer.MAX_VALUE;
    }

    /** The limits that this store applies to what it reads and writes. The defaults, unless the store says otherwise. */
    default MessageLimits limits() {
        return MessageLimits.defaults();
    }

    /** Whether delivered messages are kept in an audit trail. Not unless the store says otherwise. */
    default boolean keepsDelivered() {
        return false;
    }

    /**
     * Inserts messages through the caller's connection, as one statement where the database can. Delayed ones go to the
     * delayed table; one whose dedup key is known already is left out.
     *
     * @return the messages that were inserted, in order
     */
    List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages);

    /** Who owns which lane. */
    LaneLeases leases();

    /** What a relay uses that keeps this order; made once for each relay. */
    RelayStore forRelay(Ordering ordering);

    /** Makes blocked rows due at once, with attempts counted from zero; of this key, or of all. Returns how many. */
    int unblock(Optional<String> key, String operator);

    /**
     * Makes a held row due at once that waits for its next attempt; its attempts count on.
     *
     * @return false if nothing was changed: it is gone, blocked, waits behind another, or is being tried. Always, unless the store has a held
     *     table
     */
    default boolean retryHeld(RowRef row, String operator) {
        return false;
    }

    /**
     * Deletes a held row for good that holds back its key: one that is blocked, or waits for its next attempt. The next one of its key goes on.
     *
     * @return false if nothing was changed: it is gone, waits behind another, or is being tried. Always, unless the store has a held table
     */
    default boolean discardHeld(RowRef row, String operator) {
        return false;
    }

    /** What is held, with at most this many heads. Nothing, unless the store has a held table. */
    default HeldReport heldReport(int maxHeads) {
        return new HeldReport(List.of(), List.of());
    }

    DeadLetters deadLetters();

    Pauses pauses();

    OutboxStats stats();

    /**
     * How many rows have each status, in the words of the table itself: for tables of other systems, whose operators know these words. Empty where rows
     * have no status. As cheap as {@link #stats}.
     */
    default Map<String, RowCount> countsByStatus() {
        return Map.of();
    }

    /**
     * Why other processes neither see nor change this part of the outbox, and what to do about it: for commands, which refuse rather than do
     * nothing. Empty where all processes share it, as they do unless the store says otherwise.
     */
    default Optional<String> whyNotShared(Part part) {
        return Optional.empty();
    }

    /** What operators look at or change, from whatever process. */
    enum Part {
        /** Paused destinations. */
        PAUSES,
        /** Messages that block their keys. */
        BLOCKED,
        /** Messages that were given up. */
        DEAD_LETTERS,
        /** Which relays run, and whether any does. */
        RELAYS
    }

    /** What an operator should have looked at in this store, beside what is true of its database. Nothing, unless the store says otherwise. */
    default List<Check> checks() {
        return List.of();
    }

    /** What keeps the outbox small; called by maintenance, never by a relay. */
    Maintenance maintenance();

    /** Where in-process writers tell relays of new messages. */
    WakeSignal wakeSignal();
}
