package dev.postrider.store.existing;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.Maintenance;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Keeps an existing table small. One process at a time runs a task, by the lock table. */
final class ExistingMaintenance implements Maintenance {

    private static final String TASK = "postrider:task:";

    private final Rows rows;
    private final TransactionRunner transactions;
    private final Function<String, NamedLock> locks;
    private final Optional<AuditPartitions> partitions;

    ExistingMaintenance(
            Rows rows,
            TransactionRunner transactions,
            Function<String, NamedLock> locks,
            Optional<AuditPartitions> partitions) {
        this.rows = rows;
        this.transactions = transactions.unlimited();
        this.locks = locks;
        this.partitions = partitions;
    }

    @Override
    public boolean takeTask(String task, String owner, Duration timeToLive) {
        return lockOf(task).take(owner, timeToLive);
    }

    @Override
    public void releaseTask(String task, String owner) {
        lockOf(task).release(owner);
    }

    /** Two outboxes may share the lock table. */
    private NamedLock lockOf(String task) {
        return locks.apply(TASK + rows.name() + ":" + task);
    }

    @Override
    public int deleteSent(Duration olderThan, int limit) {
        return transactions.inTransaction(
                "delete delivered rows", connection -> rows.deleteDelivered(connection, olderThan, limit));
    }

    @Override
    public int deleteDeadLetters(Duration olderThan, int limit) {
        return transactions.inTransaction(
                "delete dead rows", connection -> rows.deleteDead(connection, olderThan, limit));
    }

    @Override
    public Optional<AuditPartitions> partitions() {
        return partitions;
    }
}
