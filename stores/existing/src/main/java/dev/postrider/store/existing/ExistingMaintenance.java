package dev.postrider.store.existing;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.Maintenance;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps an existing table small. Tasks are shared by the lock table where there is one, else within this process. */
final class ExistingMaintenance implements Maintenance {

    private static final String TASK = "postrider:task:";

    private final Rows rows;
    private final TransactionRunner transactions;
    private final Optional<LockTable> locks;
    private final Optional<AuditPartitions> partitions;
    private final Map<String, Task> tasks = new HashMap<>();

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
                : takeHere(task, owner, timeToLive);
    }

    private synchronized boolean takeHere(String task, String owner, Duration timeToLive) {
        Task taken = tasks.get(task);
        if (taken != null && !taken.owner().equals(owner) && System.nanoTime() - taken.until() < 0) {
            return false;
        }
        tasks.put(task, new Task(owner, System.nanoTime() + timeToLive.toNanos()));
        return true;
    }

    @Override
    public synchronized void releaseTask(String task, String owner) {
        locks.ifPresent(table ->
                transactions.run("release a task", connection -> table.release(connection, nameOf(task), owner)));
        tasks.computeIfPresent(task, (name, taken) -> taken.owner().equals(owner) ? null : taken);
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

    private record Task(String owner, long until) {}
}
