package dev.postrider.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one row, to be recorded by {@link RelayStore#settle}.
 *
 * <p>The row is named by lane, seq and id. Nothing is recorded for a row that is no longer in its table. Times are durations,
 * added to the database's clock.
 *
 * @param table where the row is until this is recorded
 */
public record RowOutcome(RowRef row, Table table, Outcome outcome) {

    public RowOutcome {
        if (table == Table.HELD && outcome instanceof Behind) {
            throw new IllegalArgumentException(row + " is held already");
        }
    }

    /** The outcome of a row of the hot table. */
    public static RowOutcome hot(RowRef row, Outcome outcome) {
        return new RowOutcome(row, Table.HOT, outcome);
    }

    /** The outcome of a row of the held table. */
    public static RowOutcome held(RowRef row, Outcome outcome) {
        return new RowOutcome(row, Table.HELD, outcome);
    }

    /** The tables of messages that a relay sends. */
    public enum Table {
        HOT,
        HELD
    }

    /** Whether the row was delivered. */
    public boolean isDelivered() {
        return outcome instanceof Delivered;
    }

    /** What becomes of a row. */
    public sealed interface Outcome {

        /**
         * The destination for which the row is held from now on; empty if the row leaves. A row that is held already keeps
         * the destination that it has.
         */
        default Optional<String> heldFor() {
            return Optional.empty();
        }
    }

    /** A message that could not be delivered, now or ever. */
    public sealed interface Failure extends Outcome {

        /** How many attempts have failed. */
        int attempts();

        /** Why the last one failed, or why there was none. */
        String error();

        /** How long until the message is tried again; empty if that needs an operator. */
        default Optional<Duration> retryIn() {
            return Optional.empty();
        }
    }

    /** It was delivered: it moves to the audit trail, or goes away where there is none. The next of its line becomes due. */
    public record Delivered() implements Outcome {}

    /** It failed at its destination, or the destination could not take it: it is held, and due after the delay. */
    public record RetryLater(String destination, int attempts, String error, Duration delay) implements Failure {
        @Override
        public Optional<String> heldFor() {
            return Optional.of(destination);
        }

        @Override
        public Optional<Duration> retryIn() {
            return Optional.of(delay);
        }
    }

    /** An earlier message of its key is held for the same destination: a hot row is held behind it. */
    public record Behind(String destination) implements Outcome {
        @Override
        public Optional<String> heldFor() {
            return Optional.of(destination);
        }
    }

    /**
     * It blocks its key at its destination until an operator acts: it is held with a due time that never comes, and
     * {@link OutboxStore#unblock} ends that. What comes after it in its line waits; an earlier message that commits late
     * still goes out.
     */
    public record Blocked(String destination, int attempts, String error) implements Failure {
        @Override
        public Optional<String> heldFor() {
            return Optional.of(destination);
        }
    }

    /** It is given up: it becomes a dead letter. */
    public record Dead(DeadReason reason, int attempts, String error) implements Failure {}
}
