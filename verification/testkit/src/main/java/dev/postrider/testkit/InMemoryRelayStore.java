package dev.postrider.testkit;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.RowOutcome.Table;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a relay uses of the tables in memory, in the order that it keeps. */
final class InMemoryRelayStore implements RelayStore {

    private final InMemoryTables tables;
    private final Ordering ordering;

    InMemoryRelayStore(InMemoryTables tables, Ordering ordering) {
        this.tables = tables;
        this.ordering = ordering;
    }

    @Override
    public LaneScan openScan() {
        return new InMemoryScan(tables);
    }

    @Override
    public HeldMessages held() {
        return new InMemoryHeld(tables, ordering);
    }

    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        return new InMemoryDelayed(tables).release(lanes, limit);
    }

    @Override
    public void deleteDelivered(List<RowRef> delivered) {
        tables.run("settlements.delete", () -> {
            for (RowRef ref : delivered) {
                takeHot(ref);
            }
        });
    }

    @Override
    public void settle(Lease lease, List<RowOutcome> outcomes) {
        for (RowOutcome outcome : outcomes) {
            if (outcome.row().lane() != lease.lane()) {
                throw new IllegalArgumentException(
                        outcome + " belongs to lane " + outcome.row().lane() + ", the lease is for " + lease.lane());
            }
        }
        tables.run("settlements.apply", () -> {
            tables.requireLease(lease);
            outcomes.forEach(this::apply);
            HeldOrder.restore(tables.held(lease.lane()), ordering, tables.now());
        });
    }

    private void apply(RowOutcome each) {
        Optional<HeldRow> held = each.table() == Table.HELD ? takeHeld(each.row()) : Optional.empty();
        Optional<StoredRow> found = each.table() == Table.HELD ? held.map(HeldRow::row) : takeHot(each.row());
        found.ifPresent(row -> apply(row, held, each.outcome()));
    }

    private void apply(StoredRow row, Optional<HeldRow> held, Outcome outcome) {
        Optional<String> destination = held.map(HeldRow::destination).orElse(outcome.heldFor());
        Optional<Instant> failedBefore = held.flatMap(HeldRow::firstFailedAt);
        Optional<Instant> failed = failedBefore.or(this::now);
        if (outcome instanceof RowOutcome.Dead dead) {
            bury(row, dead.attempts() > 0 ? failed : failedBefore, dead);
        } else if (outcome instanceof RowOutcome.Failure failure) {
            boolean isBlocked = failure.retryIn().isEmpty();
            Instant due = failure.retryIn().map(tables.now()::plus).orElse(Instant.MAX);
            put(new HeldRow(
                    row, destination, failure.attempts(), Optional.of(due), isBlocked, failure.error(), failed));
        } else if (outcome.heldFor().isPresent()) {
            put(new HeldRow(row, destination, 0, Optional.empty(), false, "", Optional.empty()));
        } else {
            keep(row);
        }
    }

    private Optional<Instant> now() {
        return Optional.of(tables.now());
    }

    private void keep(StoredRow row) {
        if (tables.keepsDelivered) {
            tables.sent.add(new SentRow(row, tables.now()));
        }
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

    private void bury(StoredRow row, Optional<Instant> firstFailed, RowOutcome.Dead dead) {
        DeadLetter letter = new DeadLetter(
                row.ref(),
                row.message(),
                dead.reason(),
                dead.attempts(),
                StoredText.of(dead.error()),
                row.createdAt(),
                firstFailed,
                tables.now(),
                false,
                true);
        tables.dead(row.ref().lane()).put(row.ref().seq(), letter);
    }
}
