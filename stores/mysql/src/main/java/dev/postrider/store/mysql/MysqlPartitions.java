package dev.postrider.store.mysql;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * The partitions of the audit trail in MySQL and MariaDB, up to a tail with MAXVALUE.
 *
 * <p>Ranges have no gaps: each begins where the one before ends. A new one is split off the tail, which copies the tail's rows
 * while deliveries wait. Every change locks the table's definition; who waits for that lock makes all others wait behind it,
 * so the wait is bounded by lock_wait_timeout. Nothing is transactional here: each change is one statement.
 */
final class MysqlPartitions implements AuditPartitions {

    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int SAME_NAME_PARTITION = 1517;

    private final JdbcContext context;
    private final TableName sent;
    private final PartitionCatalog catalog;

    MysqlPartitions(JdbcContext context) {
        this.context = context;
        this.sent = context.tables().sent();
        this.catalog = new PartitionCatalog(context);
    }

    @Override
    public Layout read() {
        return context.longTransactions().inTransaction("read the partitions", catalog::read);
    }

    @Override
    public Outcome create(Partition partition, Duration lockTimeout, int maxMovedRows) {
        Layout layout = read();
        if (isPresent(layout, partition)) {
            return Outcome.DONE;
        }
        String tail = quoted(layout.tail());
        if (countInTail(tail, maxMovedRows + 1L) > maxMovedRows) {
            return Outcome.TOO_MANY_ROWS;
        }
        String sql = """
                ALTER TABLE %1$s REORGANIZE PARTITION %2$s INTO (
                  PARTITION %3$s VALUES LESS THAN (%4$s), PARTITION %2$s VALUES LESS THAN (MAXVALUE))""".formatted(sent, tail, quoted(partition.name()), literal(partition.upTo()));
        return change("create partition " + partition.name(), sql, lockTimeout);
    }

    /** All of them are copied, whatever their time. */
    private long countInTail(String tail, long atMost) {
        String sql = "SELECT COUNT(*) AS counted FROM (SELECT 1 AS one FROM %s PARTITION (%s) LIMIT ?) t"
                .formatted(sent, tail);
        return context.longTransactions().inTransaction("count rows of the tail partition", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return statement
                        .with(atMost)
                        .first(row -> row.getLong("counted"))
                        .orElseThrow();
            }
        });
    }

    @Override
    public Outcome drop(Partition partition, Duration lockTimeout) {
        return isPresent(read(), partition)
                ? change(
                        "drop partition " + partition.name(),
                        "ALTER TABLE %s DROP PARTITION %s".formatted(sent, quoted(partition.name())),
                        lockTimeout)
                : Outcome.DONE;
    }

    /** Where it begins is up to its predecessor. */
    private static boolean isPresent(Layout layout, Partition partition) {
        return layout.partitions().stream()
                .anyMatch(present -> present.name().equals(partition.name())
                        && present.upTo().equals(partition.upTo()));
    }

    @Override
    public int deleteFromTail(Duration olderThan, int limit) {
        return context.longTransactions().inTransaction("delete old rows of the tail partition", connection -> {
            String tail = quoted(catalog.read(connection).tail());
            return new OldRows(context.dialect(), sent + " PARTITION (" + tail + ")", PartitionCatalog.KEY)
                    .delete(connection, olderThan, limit);
        });
    }

    private Outcome change(String purpose, String sql, Duration lockTimeout) {
        return context.longTransactions().inTransaction(purpose, connection -> {
            limitWaiting(connection, lockTimeout);
            try {
                SqlStatement.execute(connection, sql);
                return Outcome.DONE;
            } catch (SQLException error) {
                return expected(purpose, error);
            } finally {
                restoreWaiting(connection);
            }
        });
    }

    /** What is no failure becomes an outcome, before the runner would try again and make everybody wait once more. */
    private Outcome expected(String purpose, SQLException error) throws SQLException {
        if (error.getErrorCode() == LOCK_WAIT_TIMEOUT) {
            return Outcome.BUSY;
        }
        if (error.getErrorCode() == SAME_NAME_PARTITION) {
            throw new StoreException(
                    "Could not " + purpose + ": " + sent + " has another partition of that name; drop it or rename it"
                            + " with REORGANIZE PARTITION",
                    error);
        }
        throw error;
    }

    /** The session's own time-out waits in a variable of the session. */
    private static void limitWaiting(Connection connection, Duration lockTimeout) throws SQLException {
        SqlStatement.execute(
                connection,
                "SET @postrider_lock_wait = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = "
                        + Math.max(1, lockTimeout.toSeconds()));
    }

    private static void restoreWaiting(Connection connection) throws SQLException {
        SqlStatement.execute(
                connection, "SET SESSION lock_wait_timeout = @postrider_lock_wait, @postrider_lock_wait = NULL");
    }

    private String quoted(String name) {
        return context.dialect().quote(name);
    }

    /** DDL takes no parameters. */
    private static String literal(Instant instant) {
        return "'" + PartitionCatalog.BOUND.format(instant) + "'";
    }
}
