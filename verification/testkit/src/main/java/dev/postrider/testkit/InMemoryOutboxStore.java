package dev.postrider.testkit;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.WakeSignal;
import dev.postrider.testkit.InMemoryMaintenance.OperationRow;
import dev.postrider.testkit.StoreFixture.ForeignRow;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A whole outbox in memory, with real transactions: for tests of services and of the relay.
 *
 * <p>Time is the given clock's alone, so with a {@link TestClock} everything is deterministic. A scan returns each row once, as
 * the fastest real stores do. Thread-safe, and every operation can be made to fail. A subclass may take messages in the transactions of a
 * framework: it overrides {@link #insert}, and enqueues in a transaction of this store when those commit.
 *
 * <pre>{@code
 * InMemoryOutboxStore store = new InMemoryOutboxStore(16, new TestClock());
 * InMemoryTransaction transaction = store.begin();
 * transaction.enqueue(message);
 * transaction.commit();
 * }</pre>
 */
public class InMemoryOutboxStore implements OutboxStore {

    private final InMemoryTables tables;
    private final MessageLimits limits;
    private final WakeSignal wakeSignal = new WakeSignal();

    /** An outbox that forgets delivered messages. */
    public InMemoryOutboxStore(int laneCount, Clock clock) {
        this(laneCount, clock, false);
    }

    /** An outbox that may keep delivered messages in an audit trail. */
    public InMemoryOutboxStore(int laneCount, Clock clock, boolean keepsDelivered) {
        this(laneCount, clock, keepsDelivered, MessageLimits.defaults());
    }

    /** The same with limits of its own, which apply to {@link #insertForeign}. */
    public InMemoryOutboxStore(int laneCount, Clock clock, boolean keepsDelivered, MessageLimits limits) {
        this.tables = new InMemoryTables(laneCount, clock, keepsDelivered);
        this.limits = limits;
    }

    /** Begins a writer's transaction. */
    public InMemoryTransaction begin() {
        return new InMemoryTransaction(tables);
    }

    /** Connections that enqueue into this store and run no SQL. */
    public DataSource dataSource() {
        return InMemoryConnections.dataSource(this::begin);
    }

    /** Inserts and commits a row as a writer in another language might, valid or not. */
    public void insertForeign(ForeignRow row) {
        synchronized (tables) {
            if (row.lane() < 0 || row.lane() >= laneCount()) {
                throw new IllegalArgumentException("lane is " + row.lane() + ", expected 0 to " + (laneCount() - 1));
            }
            StoredRow stored = new ForeignRowReader(limits).read(row, tables.drawSeq(), tables.now());
            tables.hot(row.lane()).put(stored.ref().seq(), stored);
        }
    }

    /**
     * Restarts the database, as after a crash: every scan learns of it at its next fetch, and saved positions mean nothing.
     * Transactions that are open must be rolled back before.
     */
    public void restart() {
        synchronized (tables) {
            tables.incarnation++;
            tables.lanes.replaceAll(
                    lane -> new LaneRecord(lane.owner(), lane.epoch(), lane.leaseUntil(), Optional.empty()));
        }
    }

    /** Makes operations fail from now on as the injector decides. */
    public void injectFaults(FaultInjector injector) {
        synchronized (tables) {
            tables.faults = injector;
        }
    }

    /** The audit trail, in order of settlement. */
    public List<OutboxMessage> kept() {
        synchronized (tables) {
            return tables.sent.stream().map(sent -> sent.row().message()).toList();
        }
    }

    /** What operators did, in order. */
    public List<OperationRecord> operations() {
        synchronized (tables) {
            return tables.operations.stream().map(OperationRow::operation).toList();
        }
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int laneCount() {
        return tables.lanes.size();
    }

    @Override
    public MessageLimits limits() {
        return limits;
    }

    @Override
    public boolean keepsDelivered() {
        return tables.keepsDelivered;
    }

    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        return InMemoryConnections.transactionOf(connection).enqueue(messages.toArray(OutboxMessage[]::new));
    }

    @Override
    public LaneLeases leases() {
        return new InMemoryLeases(tables);
    }

    @Override
    public RelayStore forRelay(Ordering ordering) {
        return new InMemoryRelayStore(tables, ordering);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return new InMemoryHeldOperations(tables).unblock(key, operator);
    }

    @Override
    public boolean retryHeld(RowRef row, String operator) {
        return new InMemoryHeldOperations(tables).retry(row, operator);
    }

    @Override
    public boolean discardHeld(RowRef row, String operator) {
        return new InMemoryHeldOperations(tables).discard(row, operator);
    }

    @Override
    public HeldReport heldReport(int maxHeads) {
        return new InMemoryHeldOperations(tables).report(maxHeads);
    }

    @Override
    public DeadLetters deadLetters() {
        return new InMemoryDeadLetters(tables);
    }

    @Override
    public Pauses pauses() {
        return new InMemoryPauses(tables);
    }

    @Override
    public OutboxStats stats() {
        synchronized (tables) {
            Instant oldest = Stream.concat(
                            rows(tables.hot).map(StoredRow::createdAt),
                            rows(tables.held).map(held -> held.row().createdAt()))
                    .min(Instant::compareTo)
                    .orElse(tables.now());
            return new OutboxStats(
                    rows(tables.hot).count() + rows(tables.held).count(),
                    true,
                    rows(tables.held).count(),
                    tables.delayed.size(),
                    rows(tables.dead).count(),
                    new RowCount(tables.sent.size(), true),
                    Duration.between(oldest, tables.now()));
        }
    }

    private static <T> Stream<T> rows(Map<Integer, ? extends Map<Long, T>> lanes) {
        return lanes.values().stream().flatMap(lane -> lane.values().stream());
    }

    @Override
    public Maintenance maintenance() {
        return new InMemoryMaintenance(tables);
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }

    private record InMemoryPauses(InMemoryTables tables) implements Pauses {

        @Override
        public Set<String> paused() {
            return tables.run("pauses.paused", () -> Set.copyOf(tables.paused));
        }

        @Override
        public void pause(String destination, String operator) {
            tables.run("pauses.pause", () -> {
                if (tables.paused.add(destination)) {
                    tables.record(operator, "pause", destination, 1);
                }
            });
        }

        @Override
        public void resume(String destination, String operator) {
            tables.run("pauses.resume", () -> {
                if (tables.paused.remove(destination)) {
                    tables.record(operator, "resume", destination, 1);
                }
            });
        }
    }
}
