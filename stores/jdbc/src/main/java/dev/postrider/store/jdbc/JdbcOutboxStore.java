package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
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
import dev.postrider.spi.RowRef;
import dev.postrider.spi.WakeSignal;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A store made of the shared parts and the scan of one database.
 *
 * <p>Threads: no state but the wake signal, so any thread may call anything. Locks: the lane's row, taken first by every
 * fenced transaction ({@link LaneFence}); it also puts all changes of held rows of a lane into a sequence. Transactions: one
 * short one per call, at a stated isolation level ({@link TransactionRunner}). Crash points: none inside a call, since each
 * is one transaction.
 */
@Internal
public final class JdbcOutboxStore implements OutboxStore {

    private final JdbcContext context;
    private final Function<Ordering, RelayStore> relayStores;
    private final MessageInsert insert;
    private final LaneLeases leases;
    private final Unblocking unblocking;
    private final HeldActions heldActions;
    private final HeadReader heads;
    private final DeadLetters deadLetters;
    private final Pauses pauses;
    private final StatsReader stats;
    private final Maintenance maintenance;
    private final WakeSignal wakeSignal = new WakeSignal();

    /** The second makes what a relay uses that keeps a given order: a {@link JdbcRelayStore}. */
    public JdbcOutboxStore(JdbcContext context, Function<Ordering, RelayStore> relayStores) {
        this.context = context;
        this.relayStores = relayStores;
        this.insert = new MessageInsert(context);
        this.leases = new JdbcLaneLeases(context);
        this.unblocking = new Unblocking(context);
        this.heldActions = new HeldActions(context);
        this.heads = new HeadReader(context);
        this.deadLetters = new JdbcDeadLetters(context);
        this.pauses = new JdbcPauses(context);
        this.stats = new StatsReader(context);
        this.maintenance = new JdbcMaintenance(context);
    }

    @Override
    public String name() {
        return context.tables().outboxName();
    }

    @Override
    public int laneCount() {
        return context.options().lanes();
    }

    @Override
    public MessageLimits limits() {
        return context.limits();
    }

    @Override
    public boolean keepsDelivered() {
        return context.options().keepsDelivered();
    }

    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        return insert.insert(connection, messages);
    }

    @Override
    public LaneLeases leases() {
        return leases;
    }

    @Override
    public RelayStore forRelay(Ordering ordering) {
        return relayStores.apply(ordering);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return context.longTransactions().inTransaction("unblock", c -> unblocking.unblock(c, key, operator));
    }

    @Override
    public boolean retryHeld(RowRef row, String operator) {
        return context.longTransactions().inTransaction("retry a held row", c -> heldActions.retry(c, row, operator));
    }

    @Override
    public boolean discardHeld(RowRef row, String operator) {
        return context.longTransactions()
                .inTransaction("discard a held row", c -> heldActions.discard(c, row, operator));
    }

    @Override
    public HeldReport heldReport(int maxHeads) {
        return context.longTransactions()
                .inTransaction("list held messages", c -> new HeldReport(heads.read(c, maxHeads), heads.waiting(c)));
    }

    @Override
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    @Override
    public Pauses pauses() {
        return pauses;
    }

    @Override
    public OutboxStats stats() {
        return stats.read();
    }

    @Override
    public Maintenance maintenance() {
        return maintenance;
    }

    @Override
    public WakeSignal wakeSignal() {
        return wakeSignal;
    }
}
