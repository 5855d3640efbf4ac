package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.time.Duration;
import java.util.List;

/**
 * Lets one instance at a time run a task, such as the cleanup of dead letters, by a lease row.
 *
 * <p>Judged by the database's clock. Thread-safe; each method is one short transaction.
 */
@Internal
public final class JdbcTasks {

    private final JdbcContext context;
    private final String take;
    private final String create;
    private final String release;

    public JdbcTasks(JdbcContext context) {
        this.context = context;
        Dialect dialect = context.dialect();
        TableName task = context.tables().task();
        this.take = """
                UPDATE %s SET owner = ?, lease_until = %s
                WHERE name = ? AND (owner IS NULL OR owner = ? OR lease_until <= %s)""".formatted(task, dialect.nowPlusMicros(), dialect.now());
        this.create = dialect.insertIfAbsent(
                task.sql(), List.of("name", "owner", "lease_until"), List.of("?", "?", dialect.nowPlusMicros()));
        this.release = "UPDATE %s SET owner = NULL, lease_until = NULL WHERE name = ? AND owner = ?".formatted(task);
    }

    /** Takes the task, or prolongs it; false when somebody else has it. */
    public boolean take(String name, String owner, Duration timeToLive) {
        return context.transactions().inTransaction("take task " + name, connection -> {
            try (SqlStatement statement = context.prepare(connection, take)) {
                if (statement
                                .with(owner)
                                .with(timeToLive)
                                .with(name)
                                .with(owner)
                                .update()
                        == 1) {
                    return true;
                }
            }
            try (SqlStatement statement = context.prepare(connection, create)) {
                return context.insertIfAbsent(statement.with(name).with(owner).with(timeToLive));
            }
        });
    }

    /** Releases the task, if this owner has it. */
    public void release(String name, String owner) {
        context.transactions().run("release task " + name, connection -> {
            try (SqlStatement statement = context.prepare(connection, release)) {
                statement.with(name).with(owner).update();
            }
        });
    }
}
