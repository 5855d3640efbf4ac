package dev.postrider.store.mysql;

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
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;

/**
 * An outbox in MySQL 8.0.17 or newer, MariaDB 10.6 or newer, or TiDB 7.5 or newer.
 *
 * <p>Exact on MySQL and MariaDB: a transaction that draws its seq early and commits late is neither lost nor overtaken within
 * its key, with savepoints, inserts of many rows, any isolation level, and through a restart or fail-over of the server. The
 * relay's reads lock nothing, so writers do not wait for them. The price of a fetch does not grow with the backlog, with
 * deleted rows, nor with a reader that stays open; a transaction that wrote to the outbox and stays open is the exception. On
 * TiDB, and with {@link ScanMode#HEAD}, every fetch starts at the head.
 *
 * <p>The data source must lead to the primary. Its driver, default isolation level, auto-commit and time zone do not matter.
 * Thread-safe; holds no connection between calls.
 *
 * <pre>{@code
 * OutboxStore store = MysqlOutboxStore.builder(dataSource)
 *         .schemaMode(SchemaMode.CREATE)
 *         .build();
 * }</pre>
 */
public final class MysqlOutboxStore implements OutboxStore {

    private final JdbcOutboxStore shared;
    private final LaneLeases leases;

    MysqlOutboxStore(
            DataSource dataSource, JdbcContext context, Flavor flavor, boolean isBounded, IdleLimit idleLimit) {
        HotTable hot = new HotTable(context, ServerIdentity.of(flavor));
        this.shared = new JdbcOutboxStore(
                context, () -> new MysqlLaneScan(dataSource, context, hot, isBounded, System::nanoTime));
        this.leases = new ObservedLeases(shared.leases(), idleLimit);
    }

    /** The data source leads to the primary; a pool of a few connections is enough for any number of lanes. */
    public static MysqlOutboxStoreBuilder builder(DataSource dataSource) {
        return new MysqlOutboxStoreBuilder(dataSource);
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
        return shared.settlements();
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
