package dev.postrider.store.jdbc;

import dev.postrider.internal.Readable;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Deletes old rows. It knows no other tables than those of the audit trail, the dead letters, the dedup keys and the operations. */
final class JdbcMaintenance implements Maintenance {

    private static final String OPERATOR = "cleanup";

    private final JdbcContext context;
    private final JdbcTasks tasks;
    private final LockedLetters locked;
    private final RowWriter rows;
    private final Operations operations;

    JdbcMaintenance(JdbcContext context) {
        this.context = context;
        this.tasks = new JdbcTasks(context);
        this.locked = new LockedLetters(context);
        this.rows = new RowWriter(context);
        this.operations = new Operations(context);
    }

    @Override
    public boolean takeTask(String task, String owner, Duration timeToLive) {
        return tasks.take(task, owner, timeToLive);
    }

    @Override
    public void releaseTask(String task, String owner) {
        tasks.release(task, owner);
    }

    /** Looks whether the table exists: another instance may keep what this one deletes, or once did. */
    @Override
    public int deleteSent(Duration olderThan, int limit) {
        TableName sent = context.tables().sent();
        return context.longTransactions()
                .inTransaction(
                        "delete old delivered messages",
                        connection -> context.dialect().exists(connection, sent)
                                ? context.dialect().deleteOlder(connection, sent, "delivered_at", olderThan, limit)
                                : 0);
    }

    @Override
    public int deleteDeadLetters(Duration olderThan, int limit) {
        return context.longTransactions()
                .inTransaction("delete old dead letters", connection -> expire(connection, olderThan, limit));
    }

    private int expire(Connection connection, Duration olderThan, int limit) throws SQLException {
        DeadLetterCondition condition = new DeadLetterCondition(DeadLetterFilter.all())
                .and(
                        "died_at <= " + context.dialect().nowPlusMicros(),
                        statement -> statement.with(olderThan.negated()))
                // Its next delivery is under way.
                .and("retry_requested = ?", statement -> statement.with(false));
        List<RowRef> letters = locked.selectOldest(connection, condition, limit);
        if (!letters.isEmpty()) {
            rows.delete(connection, context.tables().dead(), letters);
            operations.record(
                    connection,
                    "expire",
                    "died more than " + Readable.time(olderThan) + " ago",
                    letters.size(),
                    OPERATOR);
        }
        return letters.size();
    }

    @Override
    public int deleteDedupKeys(Duration olderThan, int limit) {
        return context.longTransactions()
                .inTransaction(
                        "delete old dedup keys",
                        connection -> context.dialect()
                                .deleteOlder(connection, context.tables().dedup(), "created_at", olderThan, limit));
    }

    @Override
    public int deleteOperations(Duration olderThan, int limit) {
        return context.longTransactions()
                .inTransaction(
                        "delete old records of operations",
                        connection -> context.dialect()
                                .deleteOlder(
                                        connection, context.tables().operation(), "happened_at", olderThan, limit));
    }

    @Override
    public Optional<AuditPartitions> partitions() {
        return context.dialect().partitions(context);
    }
}
