package dev.postrider.store.existing;

import dev.postrider.spi.DeadReason;
import java.time.Duration;
import java.util.List;

/** What became of one row. */
sealed interface Outcome {

    RowKey key();

    /** The rows among these that were delivered. */
    static List<RowKey> delivered(List<Outcome> outcomes) {
        return outcomes.stream()
                .filter(Delivered.class::isInstance)
                .map(Outcome::key)
                .toList();
    }

    record Delivered(RowKey key) implements Outcome {}

    record Failed(RowKey key, int attempts, String error, Duration delay) implements Outcome {}

    /** Waits until an operator unblocks it. */
    record Blocked(RowKey key, int attempts, String error) implements Outcome {}

    /** Given up. */
    record Dead(RowKey key, int attempts, DeadReason reason, String error) implements Outcome {

        /** What is written down: a table has no column for the reason. */
        String text() {
            return switch (reason) {
                case UNREADABLE -> UNREADABLE + error;
                case REJECTED -> REJECTED + error;
                case ATTEMPTS_EXHAUSTED, OTHER -> error;
            };
        }

        static DeadReason reasonOf(String text) {
            if (text.startsWith(UNREADABLE)) {
                return DeadReason.UNREADABLE;
            }
            return text.startsWith(REJECTED) ? DeadReason.REJECTED : DeadReason.ATTEMPTS_EXHAUSTED;
        }

        private static final String UNREADABLE = "unreadable: ";
        private static final String REJECTED = "rejected: ";
    }
}
