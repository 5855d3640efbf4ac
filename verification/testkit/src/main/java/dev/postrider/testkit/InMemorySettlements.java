package dev.postrider.testkit;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Records outcomes in memory. */
final class InMemorySettlements implements Settlements {

    private final InMemoryTables tables;

    InMemorySettlements(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void delete(List<RowRef> delivered) {
        tables.run("settlements.delete", () -> {
            for (RowRef ref : delivered) {
                takeHot(ref);
            }
        });
    }

    @Override
    public void apply(Lease lease, Ordering ordering, List<Change> changes) {
        for (Change change : changes) {
            if (change.row().lane() != lease.lane()) {
                throw new IllegalArgumentException(
                        change + " belongs to lane " + change.row().lane() + ", the lease is for " + lease.lane());
            }
        }
        tables.run("settlements.apply", () -> {
            tables.requireLease(lease);
            changes.forEach(this::apply);
            HeldOrder.restore(tables.held(lease.lane()), ordering, tables.now());
        });
    }

    private void apply(Change change) {
        RowRef ref = change.row();
        if (change instanceof Change.Keep) {
            takeHot(ref).ifPresent(this::keep);
        } else if (change instanceof Change.Hold hold) {
            Optional<String> destination = Optional.of(hold.destination());
            takeHot(ref)
                    .ifPresent(row -> put(new HeldRow(
                            row, destination, hold.attempts(), due(hold.delay()), false, hold.error(), now())));
        } else if (change instanceof Change.HoldBehind behind) {
            Optional<String> destination = Optional.of(behind.destination());
            takeHot(ref)
                    .ifPresent(row ->
                            put(new HeldRow(row, destination, 0, Optional.empty(), false, "", Optional.empty())));
        } else if (change instanceof Change.HoldAgain again) {
            takeHeld(ref)
                    .ifPresent(row -> put(new HeldRow(
                            row.row(),
                            row.destination(),
                            again.attempts(),
                            due(again.delay()),
                            false,
                            again.error(),
                            failedFirst(row))));
        } else if (change instanceof Change.DeliverHeld delivered) {
            takeHeld(ref).filter(row -> delivered.keep()).ifPresent(row -> keep(row.row()));
        } else if (change instanceof Change.Bury bury) {
            bury(ref, bury.held(), bury.reason(), bury.attempts(), bury.error());
        } else if (change instanceof Change.Block block) {
            block(block);
        }
    }

    private void block(Change.Block block) {
        Optional<HeldRow> held = block.held() ? takeHeld(block.row()) : Optional.empty();
        Optional<StoredRow> row = block.held() ? held.map(HeldRow::row) : takeHot(block.row());
        Optional<Instant> firstFailed = held.map(this::failedFirst).orElseGet(this::now);
        Optional<String> destination = held.map(HeldRow::destination).orElse(Optional.of(block.destination()));
        Optional<Instant> never = Optional.of(Instant.MAX);
        row.ifPresent(found ->
                put(new HeldRow(found, destination, block.attempts(), never, true, block.error(), firstFailed)));
    }

    private void bury(RowRef ref, boolean held, DeadReason reason, int attempts, String error) {
        Optional<Instant> failedNow = attempts > 0 ? now() : Optional.empty();
        if (held) {
            takeHeld(ref)
                    .ifPresent(
                            row -> bury(row.row(), row.firstFailedAt().or(() -> failedNow), reason, attempts, error));
        } else {
            takeHot(ref).ifPresent(row -> bury(row, failedNow, reason, attempts, error));
        }
    }

    private Optional<Instant> failedFirst(HeldRow row) {
        return row.firstFailedAt().or(this::now);
    }

    private Optional<Instant> now() {
        return Optional.of(tables.now());
    }

    private void keep(StoredRow row) {
        tables.sent.add(new SentRow(row, tables.now()));
    }

    private Optional<StoredRow> takeHot(RowRef ref) {
        StoredRow row = tables.hotRow(ref);
        if (row != null) {
            tables.hot(ref.lane()).remove(ref.seq());
        }
        return Optional.ofNullable(row);
    }

    private Optional<HeldRow> takeHeld(RowRef ref) {
        HeldRow row = tables.heldRow(ref);
        if (row != null) {
            tables.held(ref.lane()).remove(ref.seq());
        }
        return Optional.ofNullable(row);
    }

    private void put(HeldRow row) {
        RowRef ref = row.row().ref();
        tables.held(ref.lane()).put(ref.seq(), row);
    }

    private Optional<Instant> due(Duration delay) {
        return Optional.of(tables.now().plus(delay));
    }

    private void bury(StoredRow row, Optional<Instant> firstFailed, DeadReason reason, int attempts, String error) {
        DeadLetter letter = new DeadLetter(
                row.ref(),
                row.message(),
                reason,
                attempts,
                StoredText.of(error),
                row.createdAt(),
                firstFailed,
                tables.now(),
                false);
        tables.dead(row.ref().lane()).put(row.ref().seq(), letter);
    }
}
