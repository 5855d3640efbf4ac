package dev.postrider.store.postgres;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DelayedMessages;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.Settlements;
import dev.postrider.spi.WakeSignal;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.JdbcOutboxStore;
import dev.postrider.store.jdbc.MessageReader;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;

/**
 * An outbox in PostgreSQL 13 or later.
 *
 * <p>Exact: a transaction that draws its seq early and commits late is neither lost nor overtaken within its key, with
 * savepoints, prepared transactions, any isolation level, and through a crash or fail-over of the server. The price of a
 * fetch does not grow with the backlog, with dead rows, nor with a transaction that stays open. The data source must lead
 * to the primary; a pooler in transaction mode may stand between. Its default isolation level and auto-commit do not matter.
 * Thread-safe; holds no connection between calls.
 *
 * <pre>{@code
 * OutboxStore store = PostgresOutboxStore.builder(dataSource)
 *         .schemaMode(SchemaMode.CREATE)
 *         .build();
 * }</pre>
 */
public final class PostgresOutboxStore implements OutboxStore {

    private final JdbcOutboxStore shared;
    private final LaneLeases leases;
    private final Settlements settlements;

    PostgresOutboxStore(JdbcContext context, IdleLimit idleLimit) {
        SnapshotReader reader = new SnapshotReader(context);
        ScanQueries queries = new ScanQueries(context.tables(), new MessageReader(context.dialect(), context.limits()));
        this.shared = new JdbcOutboxStore(context, () -> new PostgresLaneScan(reader, queries));
        this.leases = new ObservedLeases(shared.leases(), idleLimit);
        this.settlements = new PostgresSettlements(context, shared.settlements());
    }

    /** The data source leads to the primary; a pool of a few connections is enough for any number of lanes. */
    public static PostgresOutboxStoreBuilder builder(DataSource dataSource) {
        return new PostgresOutboxStoreBuilder(dataSource);
    }

    @Override
    public String name() {
        return shared.name();
    }

    @Override
    public int laneCount() {
        return shared.laneCount();
    }

    @Override
    public MessageLimits limits() {
        return shared.limits();
    }

    @Override
    public boolean keepsDelivered() {
        return shared.keepsDelivered();
    }

    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        return shared.insert(connection, messages);
    }

    @Override
    public LaneLeases leases() {
        return leases;
    }

    @Override
    public LaneScan openScan() {
        return shared.openScan();
    }

    @Override
    public Settlements settlements() {
        return settlements;
    }

    @Override
    public HeldMessages held() {
        return shared.held();
    }

    @Override
    public DelayedMessages delayed() {
        return shared.delayed();
    }

    @Override
    public DeadLetters deadLetters() {
        return shared.deadLetters();
    }

    @Override
    public Pauses pauses() {
        return shared.pauses();
    }

    @Override
    public OutboxStats stats() {
        return shared.stats();
    }

    @Override
    public Maintenance maintenance() {
        return shared.maintenance();
    }

    @Override
    public WakeSignal wakeSignal() {
        return shared.wakeSignal();
    }
}
