package dev.postrider.testkit;

import dev.postrider.spi.OutboxRow;
import java.time.Instant;
import java.util.Optional;

/** A held message with the columns that change. */
record HeldRow(
        StoredRow row,
        int attempts,
        Optional<Instant> dueAt,
        boolean isBlocked,
        String error,
        Optional<Instant> firstFailedAt) {

    HeldRow withDue(Optional<Instant> due) {
        return new HeldRow(row, attempts, due, isBlocked, error, firstFailedAt);
    }

    HeldRow unblocked(Instant now) {
        // Without due time it waits behind an earlier one.
        return new HeldRow(row, 0, dueAt.map(due -> now), false, error, firstFailedAt);
    }

    boolean isDue(Instant now) {
        return !isBlocked && dueAt.isPresent() && !dueAt.get().isAfter(now);
    }

    OutboxRow.Held toRow() {
        return new OutboxRow.Held(row.ref(), row.message(), row.createdAt(), attempts);
    }
}
