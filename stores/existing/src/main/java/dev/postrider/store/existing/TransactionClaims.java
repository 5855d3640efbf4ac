package dev.postrider.store.existing;

import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Claims rows by a transaction that keeps them locked while they are sent, for tables without a column for it.
 *
 * <p>One batch for each worker, of at most {@code maxRows} rows and for at most one lease. Its price: a connection and an open
 * transaction all that time, the next batch waits for the slowest message of this one, and a crash lets the whole batch be sent again.
 * The server ends the transaction of a process that died or hangs, and with it the claim.
 */
final class TransactionClaims implements Claims {

    private final LogThrottle throttle = new LogThrottle(LoggerFactory.getLogger(TransactionClaims.class));

    private final StatusTable rows;
    private final RowReader reader;
    private final TransactionRunner transactions;
    private final TakenRows taken;
    private final WakeSignal wakeSignal;
    private final int maxRows;
    private final Map<Integer, OpenBatch> batches = new HashMap<>();
    /** Delivered, but the lock was lost before that could be recorded. */
    private final Set<RowKey> unrecorded = new LinkedHashSet<>();

    private Duration length = Duration.ofSeconds(30);

    TransactionClaims(Parts<StatusTable> parts, WakeSignal wakeSignal, int maxRows) {
        this.rows = parts.rows();
        this.reader = parts.reader();
        this.transactions = parts.transactions();
        this.taken = parts.taken();
        this.wakeSignal = wakeSignal;
        this.maxRows = maxRows;
    }

    @Override
    public synchronized void leaseIs(Duration value) {
        transactions.leaseIs(value);
        length = value;
    }

    @Override
    public synchronized boolean mayTake(Set<Integer> lanes) {
        recordDelivered();
        return lanes.stream().noneMatch(batches::containsKey);
    }

    @Override
    public synchronized TakenBatch take(int lane, RowQuery find, long maxBytes) {
        RowQuery bounded = new RowQuery(
                Math.min(find.limit(), maxRows),
                find.excludedTopics(),
                find.ordering(),
                skipped(find),
                find.skippedKeys(),
                true,
                find.reach());
        @Nullable OpenBatch batch = null;
        try {
            batch = OpenBatch.begin(transactions, rows.database(), length);
            List<Head> found = RowReader.fitting(rows.find(batch.connection(), bounded), maxRows, maxBytes);
            List<ReadRow> read = reader.read(batch.connection(), Place.PENDING, found);
            return open(lane, batch, read);
        } catch (SQLException error) {
            close(batch);
            throw new StoreException(
                    "Could not claim rows of %s: %s".formatted(rows.name(), error.getMessage()), error);
        } catch (RuntimeException failure) {
            close(batch);
            throw failure;
        }
    }

    private Set<RowKey> skipped(RowQuery find) {
        Set<RowKey> skipped = new HashSet<>(find.skipped());
        skipped.addAll(unrecorded);
        return skipped;
    }

    private TakenBatch open(int lane, OpenBatch batch, List<ReadRow> read) {
        if (read.isEmpty()) {
            batch.close();
            return TakenBatch.NONE;
        }
        List<TakenRow> all = new ArrayList<>();
        for (ReadRow row : read) {
            Taken one = taken.add(lane, row.head());
            batch.add(one);
            all.add(new TakenRow(one, row));
        }
        batches.put(lane, batch);
        return new TakenBatch(all, false);
    }

    private static void close(@Nullable OpenBatch batch) {
        if (batch != null) {
            batch.close();
        }
    }

    /** A batch that takes longer than a lease ends here: what is settled is recorded, the rest is free. */
    @Override
    public synchronized boolean prolong(int lane, Duration time) {
        length = time;
        OpenBatch batch = batches.get(lane);
        if (batch == null) {
            return true;
        }
        if (batch.isOlderThan(time)) {
            finish(lane, batch);
            return false;
        }
        try {
            batch.touch();
            return true;
        } catch (SQLException lost) {
            finish(lane, batch);
            return false;
        }
    }

    @Override
    public synchronized void giveBack(List<Taken> given) {
        for (Taken one : given) {
            OpenBatch batch = batches.get(one.lane());
            taken.remove(one);
            if (batch != null && batch.has(one)) {
                batch.drop(one);
                finishIfComplete(one.lane(), batch);
            }
        }
    }

    @Override
    public synchronized void settle(List<Settled> settled, Optional<Lease> lease) {
        for (Settled one : settled) {
            OpenBatch batch = batches.get(one.taken().lane());
            taken.remove(one.taken());
            if (batch != null && batch.has(one.taken())) {
                batch.settle(one.taken(), one.outcome());
                finishIfComplete(one.taken().lane(), batch);
            } else {
                noteDelivered(one.taken().key(), one.outcome());
            }
        }
        recordDelivered();
    }

    @Override
    public synchronized void laneLost(int lane) {
        OpenBatch batch = batches.get(lane);
        if (batch != null) {
            finish(lane, batch);
        }
    }

    private void finishIfComplete(int lane, OpenBatch batch) {
        if (batch.isComplete()) {
            finish(lane, batch);
        }
    }

    /** Records the outcomes under the locks. If that fails, others may have the rows by now: only deliveries still count. */
    private void finish(int lane, OpenBatch batch) {
        batches.remove(lane);
        try (batch) {
            rows.apply(batch.connection(), batch.outcomes(), Optional.empty());
            batch.connection().commit();
        } catch (SQLException failure) {
            throttle.warn(
                    "record",
                    failure,
                    "Could not record {} outcomes of {}: what was delivered is recorded later, the rest is tried again",
                    batch.outcomes().size(),
                    rows.name());
            batch.outcomes().forEach(this::noteDelivered);
        }
        // The worker that waited for the end of this batch may take the next one.
        wakeSignal.fire();
    }

    private void noteDelivered(RowKey key, Outcome outcome) {
        if (outcome instanceof RowOutcome.Delivered) {
            unrecorded.add(key);
        }
    }

    /** Passes over rows that others have locked: waiting for them would keep this process from prolonging its own claims. */
    private void recordDelivered() {
        if (!unrecorded.isEmpty()) {
            List<RowKey> now = List.copyOf(unrecorded);
            unrecorded.retainAll(
                    transactions.inTransaction("settle rows", connection -> rows.deliverUnlocked(connection, now)));
        }
    }
}
