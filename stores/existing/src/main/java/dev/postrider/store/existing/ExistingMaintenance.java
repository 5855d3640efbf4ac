package dev.postrider.store.existing;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.ProcessLeases;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.Optional;

/** Keeps an existing table small. Tasks are shared by the lock table where there is one, else within this process. */
final class ExistingMaintenance implements Maintenance {

    private static final String TASK = "postrider:task:";

    private final Rows rows;
    private final TransactionRunner transactions;
    private final Optional<LockTable> locks;
    private final Optional<AuditPartitions> partitions;
    private final ProcessLeases here = new ProcessLeases(0, System::nanoTime);

    ExistingMaintenance(
            Rows rows,
            TransactionRunner transactions,
            Optional<LockTable> locks,
            Optional<AuditPartitions> partitions) {
        this.rows = rows;
        this.transactions = transactions.unlimited();
        this.locks = locks;
        this.partitions = partitions;
    }

    @Override
    public boolean takeTask(String task, String owner, Duration timeToLive) {
        return locks.isPresent()
                ? transactions.inTransaction(
                        "take a task", connection -> locks.get().take(connection, nameOf(task), owner, timeToLive))
                : here.takeTask(task, owner, timeToLive);
    }

    @Override
    public void releaseTask(String task, String owner) {
        locks.ifPresent(table ->
                transactions.run("release a task", connection -> table.release(connection, nameOf(task), owner)));
        here.releaseTask(task, owner);
    }

    /** Two outboxes may share the lock table. */
    private String nameOf(String task) {
        return TASK + rows.name() + ":" + task;
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
