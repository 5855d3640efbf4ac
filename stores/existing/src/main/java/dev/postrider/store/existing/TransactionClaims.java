package dev.postrider.store.existing;

import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.StoreException;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.existing.Candidates.Handed;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionLimits;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Claims rows by a transaction that keeps them locked while they are sent, for tables without a column for it.
 *
 * <p>One batch for each worker, of at most {@code maxRows} rows and for at most one lease. Its price: a connection and an open
 * transaction all that time, the next batch waits for the slowest message of this one, and a crash lets the whole batch be sent again.
 * The server ends the transaction of a process that died or hangs, and with it the claim.
 *
 * <p>Locks: each lane has its own, so that workers do not wait for each other's statements. Its connection serves one batch after the
 * other, and goes back to the pool when a look finds nothing. While there is a backlog, a batch whose rows were all delivered is committed by another
 * thread if the {@link SpareBatch} is free, and the lane goes on with that one. Its rows stay locked and known until the commit has ended, and no lane ends before it.
 */
final class TransactionClaims implements Claims {

    private final LogThrottle throttle = new LogThrottle(LoggerFactory.getLogger(TransactionClaims.class));

    private final StatusTable rows;
    private final RowReader reader;
    private final TransactionRunner transactions;
    private final TakenRows taken;
    private final Candidates candidates;
    private final WakeSignal wakeSignal;
    private final int maxRows;
    private final Map<Integer, LaneBatch> lanes = new ConcurrentHashMap<>();
    private final Executor recorder = twoThreads();
    private final SpareBatch spare = new SpareBatch(this::openSpare, recorder, System::nanoTime);
    /** Of the batch that another thread commits; there is at most one, since there is one spare connection. */
    private volatile CompletableFuture<Void> recording = CompletableFuture.completedFuture(null);
    /** Delivered, but the lock was lost before that could be recorded. Guarded by itself. */
    private final Set<RowKey> unrecorded = new LinkedHashSet<>();

    private volatile Duration length = Duration.ofSeconds(30);

    TransactionClaims(Parts<StatusTable> parts, Candidates candidates, WakeSignal wakeSignal, int maxRows) {
        this.rows = parts.rows();
        this.reader = parts.reader();
        this.transactions = parts.transactions();
        this.taken = parts.taken();
        this.candidates = candidates;
        this.wakeSignal = wakeSignal;
        this.maxRows = maxRows;
    }

    /** One commits, one waits for a connection. They end by themselves while there is nothing to do. */
    private static Executor twoThreads() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(2, 2, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "postrider-record");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** The batch of a lane, or the connection that its next one begins on. Guarded by itself. */
    private static final class LaneBatch {
        private @Nullable OpenBatch batch;
        private volatile boolean isOpen;

        void close() {
            isOpen = false;
            if (batch != null) {
                batch.close();
                batch = null;
            }
        }
    }

    private LaneBatch lane(int number) {
        return lanes.computeIfAbsent(number, each -> new LaneBatch());
    }

    @Override
    public void leaseIs(Duration value) {
        transactions.leaseIs(value);
        length = value;
    }

    @Override
    public boolean mayTake(Set<Integer> wanted) {
        recordDelivered();
        return wanted.stream().noneMatch(number -> lane(number).isOpen);
    }

    @Override
    public TakenBatch take(int number, RowQuery find, long maxBytes) {
        RowQuery bounded = new RowQuery(
                Math.min(find.limit(), maxRows),
                find.excludedTopics(),
                find.ordering(),
                skipped(find),
                find.skippedKeys(),
                find.reach());
        LaneBatch lane = lane(number);
        synchronized (lane) {
            try {
                OpenBatch batch = begin(lane);
                Handed found = candidates.next(batch.connection(), number, bounded, maxBytes);
                List<ReadRow> read = reader.lock(batch.connection(), rows, found.rows());
                if (read.isEmpty()) {
                    lane.close();
                }
                if (read.isEmpty() && !found.isMore()) {
                    spare.release();
                } else if (read.size() == bounded.limit()) {
                    spare.want();
                }
                return new TakenBatch(open(number, lane, batch, read), found.isMore());
            } catch (SQLException error) {
                lane.close();
                throw new StoreException(
                        "Could not claim rows of %s: %s".formatted(rows.name(), error.getMessage()), error);
            } catch (RuntimeException failure) {
                lane.close();
                throw failure;
            } finally {
                candidates.claimed(number);
            }
        }
    }

    private OpenBatch begin(LaneBatch lane) throws SQLException {
        if (lane.batch != null && !lane.batch.isLimitedBy(length)) {
            lane.close();
        }
        OpenBatch batch = lane.batch;
        if (batch == null) {
            batch = open();
            lane.batch = batch;
        }
        batch.begin();
        return batch;
    }

    private OpenBatch open() throws SQLException {
        TransactionLimits limits =
                new TransactionLimits(length, transactions.limits().statement());
        return OpenBatch.on(transactions.borrow(), rows.database(), limits);
    }

    private OpenBatch openSpare() {
        try {
            return open();
        } catch (SQLException refused) {
            throw new StoreException("There is no second connection: " + refused.getMessage(), refused);
        }
    }

    private Set<RowKey> skipped(RowQuery find) {
        synchronized (unrecorded) {
            Set<RowKey> skipped = new HashSet<>(find.skipped());
            skipped.addAll(unrecorded);
            return skipped;
        }
    }

    private List<TakenRow> open(int number, LaneBatch lane, OpenBatch batch, List<ReadRow> read) {
        List<TakenRow> all = new ArrayList<>();
        for (ReadRow row : read) {
            Taken one = taken.add(number, row.head());
            batch.add(one);
            all.add(new TakenRow(one, row));
        }
        lane.isOpen = !read.isEmpty();
        return all;
    }

    /** A batch that takes longer than a lease ends here: what is settled is recorded, the rest is free. */
    @Override
    public boolean prolong(int number, Duration time) {
        length = time;
        // The server would end it when it is idle for as long as a claim may be.
        spare.release();
        LaneBatch lane = lane(number);
        synchronized (lane) {
            OpenBatch batch = lane.batch;
            if (batch == null || !lane.isOpen) {
                // Nobody has asked for rows for a while: others may need the connection.
                lane.close();
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
    }

    @Override
    public void giveBack(List<Taken> given) {
        for (Taken one : given) {
            LaneBatch lane = lane(one.lane());
            synchronized (lane) {
                taken.remove(one);
                if (lane.isOpen && lane.batch != null && lane.batch.has(one)) {
                    lane.batch.drop(one);
                    finishIfComplete(lane, lane.batch);
                }
            }
        }
    }

    @Override
    public void settle(List<Settled> settled, Optional<Lease> lease) {
        for (Settled one : settled) {
            LaneBatch lane = lane(one.taken().lane());
            synchronized (lane) {
                if (lane.isOpen && lane.batch != null && lane.batch.has(one.taken())) {
                    taken.settling(one.taken());
                    lane.batch.settle(one.taken(), one.outcome());
                    finishIfComplete(lane, lane.batch);
                } else {
                    noteDelivered(one.taken().key(), one.outcome());
                    taken.remove(one.taken());
                }
            }
        }
        recordDelivered();
    }

    @Override
    public void laneLost(int number) {
        LaneBatch lane = lane(number);
        synchronized (lane) {
            if (lane.isOpen && lane.batch != null) {
                finish(lane, lane.batch);
            }
            lane.close();
        }
        recording.handle((done, failure) -> true).join();
        spare.release();
        // No later call may come, and the commit above may have failed.
        try {
            recordDelivered();
        } catch (StoreException failure) {
            throttle.warn(
                    "record", failure, "Could not record what was delivered of {}: it is sent again", rows.name());
        }
    }

    /** What failed is recorded before the relay goes on. */
    private void finishIfComplete(LaneBatch lane, OpenBatch batch) {
        if (!batch.isComplete()) {
            return;
        }
        Optional<OpenBatch> next = batch.isAllDelivered() ? spare.take() : Optional.empty();
        if (next.isEmpty()) {
            finish(lane, batch);
            return;
        }
        lane.batch = next.get();
        lane.isOpen = false;
        recording = CompletableFuture.runAsync(() -> finishBeside(batch), recorder);
        wakeSignal.fire();
    }

    private void finishBeside(OpenBatch batch) {
        boolean isRecorded = false;
        try {
            isRecorded = record(batch);
        } finally {
            if (isRecorded) {
                spare.giveBack(batch);
            } else {
                spare.lost();
            }
        }
    }

    private void finish(LaneBatch lane, OpenBatch batch) {
        lane.isOpen = false;
        if (!record(batch)) {
            lane.batch = null;
        }
        // The worker that waited for the end of this batch may take the next one.
        wakeSignal.fire();
    }

    /**
     * Records the outcomes under the locks. If that fails, others may have the rows by now: only deliveries still count. Returns whether the
     * connection may go on; if not, it is closed.
     */
    private boolean record(OpenBatch batch) {
        try {
            rows.apply(batch.connection(), batch.outcomes(), Optional.empty());
            batch.connection().commit();
            return true;
        } catch (SQLException | RuntimeException failure) {
            throttle.warn(
                    "record",
                    failure,
                    "Could not record {} outcomes of {}: what was delivered is recorded later, the rest is tried again",
                    batch.outcomes().size(),
                    rows.name());
            batch.outcomes().forEach(this::noteDelivered);
            batch.close();
            return false;
        } finally {
            taken.settled(batch.outcomes().keySet());
        }
    }

    private void noteDelivered(RowKey key, Outcome outcome) {
        if (outcome instanceof RowOutcome.Delivered) {
            synchronized (unrecorded) {
                unrecorded.add(key);
            }
        }
    }

    /** Passes over rows that others have locked: waiting for them would keep this process from prolonging its own claims. */
    private void recordDelivered() {
        List<RowKey> now;
        synchronized (unrecorded) {
            now = List.copyOf(unrecorded);
        }
        if (!now.isEmpty()) {
            Set<RowKey> left =
                    transactions.inTransaction("settle rows", connection -> rows.deliverUnlocked(connection, now));
            synchronized (unrecorded) {
                now.stream().filter(key -> !left.contains(key)).forEach(unrecorded::remove);
            }
        }
    }
}
