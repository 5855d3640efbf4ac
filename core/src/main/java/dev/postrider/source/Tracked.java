package dev.postrider.source;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * An item that was fetched and not yet acknowledged, and where it stands.
 *
 * @param seq given when it was handed to the relay; the order inside the lane
 */
record Tracked<T>(Item<T> item, long seq, Standing standing) {

    /** The order of a key: as the user numbers the items, then as they came. */
    static final Comparator<Tracked<?>> BY_SEQUENCE = Comparator.<Tracked<?>>comparingLong(
                    tracked -> tracked.item().sequence())
            .thenComparingLong(Tracked::seq);

    /** As they were handed to the relay. */
    static final Comparator<Tracked<?>> BY_SEQ = Comparator.comparingLong(Tracked::seq);

    /** The only one. */
    static final int LANE = 0;

    RowRef ref() {
        return new RowRef(LANE, seq, item.id());
    }

    Tracked<T> as(Standing changed) {
        return new Tracked<>(item, seq, changed);
    }

    /** Items with equal results keep one order; one without order is alone. */
    Object orderOf(Ordering ordering) {
        return switch (ordering) {
            case GLOBAL -> "";
            case PER_KEY -> line().<Object>map(line -> line).orElse(item.id());
            case NONE -> item.id();
        };
    }

    /** Where it waits, if it is held and has a key. */
    Optional<HeldLine> line() {
        return standing instanceof Held held
                ? item.key().flatMap(key -> held.destination().map(name -> new HeldLine(LANE, key, name)))
                : Optional.empty();
    }

    OutboxRow hotRow(KeyState keyState) {
        return item.problem()
                .<OutboxRow>map(
                        problem -> new OutboxRow.Unreadable(ref(), item.key(), item.createdAt(), keyState, problem))
                .orElseGet(() -> new OutboxRow.Hot(ref(), item.message(), item.createdAt(), keyState));
    }

    OutboxRow.Held heldRow(Held held) {
        return new OutboxRow.Held(ref(), item.message(), item.createdAt(), held.attempts(), held.error());
    }

    DeadLetter deadLetter(Dead dead) {
        return new DeadLetter(
                ref(),
                item.message(),
                dead.reason(),
                dead.attempts(),
                dead.error(),
                item.createdAt(),
                dead.firstFailedAt(),
                dead.diedAt(),
                dead.retryRequested());
    }

    /** Where an item stands. */
    sealed interface Standing {}

    /** Handed to the relay. */
    record Hot() implements Standing {
        static final Hot HOT = new Hot();
    }

    /**
     * Waits for a retry, or behind an item of its key that does.
     *
     * @param destination empty while it is not known
     * @param dueAt in nanoseconds of the monotonic clock
     */
    record Held(
            Optional<String> destination,
            int attempts,
            long dueAt,
            boolean isBlocked,
            String error,
            Optional<Instant> firstFailedAt)
            implements Standing {
        Held {
            error = StoredText.of(error);
        }

        Held withDestination(Optional<String> name) {
            return new Held(name, attempts, dueAt, isBlocked, error, firstFailedAt);
        }
    }

    /**
     * Given up.
     *
     * @param isOwed the source could not be told; it is told again
     * @param isLeaving being discarded
     */
    record Dead(
            DeadReason reason,
            int attempts,
            String error,
            Optional<Instant> firstFailedAt,
            Instant diedAt,
            boolean retryRequested,
            boolean isOwed,
            boolean isLeaving)
            implements Standing {
        Dead {
            error = StoredText.of(error);
        }

        Dead withRetryRequested() {
            return new Dead(reason, attempts, error, firstFailedAt, diedAt, true, isOwed, isLeaving);
        }

        Dead withOwed(boolean owed) {
            return new Dead(reason, attempts, error, firstFailedAt, diedAt, retryRequested, owed, isLeaving);
        }

        Dead withLeaving(boolean leaving) {
            return new Dead(reason, attempts, error, firstFailedAt, diedAt, retryRequested, isOwed, leaving);
        }
    }
}
