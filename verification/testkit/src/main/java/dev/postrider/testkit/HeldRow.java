package dev.postrider.testkit;

import dev.postrider.internal.StoredText;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A held message with the columns that change. */
record HeldRow(
        StoredRow row,
        Optional<String> destination,
        int attempts,
        Optional<Instant> dueAt,
        boolean isBlocked,
        String error,
        Optional<Instant> firstFailedAt) {

    HeldRow {
        error = StoredText.of(error);
    }

    HeldRow withDue(Optional<Instant> due) {
        return new HeldRow(row, destination, attempts, due, isBlocked, error, firstFailedAt);
    }

    HeldRow withDestination(Optional<String> name) {
        return new HeldRow(row, name, attempts, dueAt, isBlocked, error, firstFailedAt);
    }

    /** Where it waits, if it has a key. */
    Optional<HeldLine> line() {
        return row.message()
                .key()
                .flatMap(key -> destination.map(name -> new HeldLine(row.ref().lane(), key, name)));
    }

    HeldRow unblocked(Instant now) {
        // Without due time it waits behind an earlier one.
        return new HeldRow(row, destination, 0, dueAt.map(due -> now), false, error, firstFailedAt);
    }

    /** Whether its next attempt is yet to come. */
    boolean waits(Instant now) {
        return dueAt.filter(due -> due.isAfter(now)).isPresent();
    }

    boolean isDue(Instant now) {
        return !isBlocked && dueAt.isPresent() && !dueAt.get().isAfter(now);
    }

    /** Whether it holds back others instead of waiting behind one. */
    boolean isHead() {
        return isBlocked || dueAt.isPresent();
    }

    HeldHead toHead(Instant now) {
        OutboxMessage message = row.message();
        Optional<Duration> wait = dueAt.filter(due -> !isBlocked)
                .map(due -> due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO);
        return new HeldHead(
                row.ref(), message.topic(), message.type(), message.key(), attempts, error, wait, firstFailedAt);
    }

    /** If it waits for its destination or for a place there. */
    Optional<Waiting> toWaiting() {
        return destination
                .filter(name -> Waiting.isWaiting(attempts, error) && !isBlocked && firstFailedAt.isPresent())
                .map(name -> new Waiting(name, row.message().topic(), 1, firstFailedAt, error));
    }

    OutboxRow.Held toRow() {
        return new OutboxRow.Held(row.ref(), row.message(), row.createdAt(), attempts, error);
    }
}
