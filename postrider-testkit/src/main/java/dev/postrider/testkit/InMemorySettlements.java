package dev.postrider.testkit;

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
        tables.run("settlements.apply", () -> {
            tables.requireLease(lease);
            changes.forEach(this::apply);
            HeldOrder.restore(tables.held.get(lease.lane()), ordering, tables.now());
        });
    }

    private void apply(Change change) {
        RowRef ref = change.row();
        if (change instanceof Change.Keep) {
            takeHot(ref).ifPresent(tables.sent::add);
        } else if (change instanceof Change.Hold hold) {
            takeHot(ref).ifPresent(row -> hold(row, hold.attempts(), hold.error(), due(hold.delay()), false));
        } else if (change instanceof Change.HoldBehind) {
            takeHot(ref).ifPresent(row -> hold(row, 0, "", Optional.empty(), false));
        } else if (change instanceof Change.HoldAgain again) {
            takeHeld(ref).ifPresent(row -> hold(row.row(), again.attempts(), again.error(), due(again.delay()), false));
        } else if (change instanceof Change.DeliverHeld delivered) {
            takeHeld(ref).filter(row -> delivered.keep()).ifPresent(row -> tables.sent.add(row.row()));
        } else if (change instanceof Change.Bury bury) {
            take(ref, bury.held()).ifPresent(row -> bury(row, bury.reason(), bury.attempts(), bury.error()));
        } else if (change instanceof Change.Block block) {
            take(ref, block.held())
                    .ifPresent(row -> hold(row, block.attempts(), block.error(), Optional.of(Instant.MAX), true));
        } else if (change instanceof Change.BuryKey bury) {
            buryKey(bury);
        }
    }

    private void buryKey(Change.BuryKey bury) {
        take(bury.row(), bury.held()).ifPresent(row -> bury(row, bury.reason(), bury.attempts(), bury.error()));
        tables.buriedKeys.add(bury.key());
        List<HeldRow> rest = tables.held.get(bury.row().lane()).values().stream()
                .filter(row -> row.row().message().key().equals(Optional.of(bury.key())))
                .toList();
        for (HeldRow row : rest) {
            takeHeld(row.row().ref());
            bury(row.row(), DeadReason.KEY_BURIED, row.attempts(), "An earlier message of its key was given up");
        }
    }

    private Optional<StoredRow> take(RowRef ref, boolean held) {
        return held ? takeHeld(ref).map(HeldRow::row) : takeHot(ref);
    }

    private Optional<StoredRow> takeHot(RowRef ref) {
        StoredRow row = tables.hotRow(ref);
        if (row != null) {
            tables.hot.get(ref.lane()).remove(ref.seq());
        }
        return Optional.ofNullable(row);
    }

    private Optional<HeldRow> takeHeld(RowRef ref) {
        HeldRow row = tables.heldRow(ref);
        if (row != null) {
            tables.held.get(ref.lane()).remove(ref.seq());
        }
        return Optional.ofNullable(row);
    }

    private void hold(StoredRow row, int attempts, String error, Optional<Instant> due, boolean isBlocked) {
        tables.held
                .get(row.ref().lane())
                .put(row.ref().seq(), new HeldRow(row, attempts, due, isBlocked, error, Optional.of(tables.now())));
    }

    private Optional<Instant> due(Duration delay) {
        return Optional.of(tables.now().plus(delay));
    }

    private void bury(StoredRow row, DeadReason reason, int attempts, String error) {
        tables.dead
                .get(row.ref().lane())
                .put(
                        row.ref().seq(),
                        new DeadLetter(
                                row.ref(),
                                row.message(),
                                reason,
                                attempts,
                                error,
                                row.createdAt(),
                                Optional.of(tables.now()),
                                tables.now(),
                                false));
    }
}
