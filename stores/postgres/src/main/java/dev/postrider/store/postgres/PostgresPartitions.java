package dev.postrider.store.postgres;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.SqlWork;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.postgres.PartitionCatalog.Found;
import dev.postrider.store.postgres.PartitionCatalog.Trail;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The partitions of the audit trail in PostgreSQL: tables attached to it, and a DEFAULT one as the tail.
 *
 * <p>Locks, always the parent first. Creating one ahead of time leaves the parent to readers and to deliveries and excludes
 * others from the tail alone, which is empty then. For a time that has begun the parent is locked as well: a delivery that had
 * chosen the tail and waited for it would be refused there, because its row belongs to the new partition by now. Dropping
 * locks the parent; detaching concurrently is impossible beside a DEFAULT partition. All waiting is bounded by lock_timeout,
 * all work under a lock by statement_timeout, and each change is one transaction.
 */
final class PostgresPartitions implements AuditPartitions {

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String QUERY_CANCELED = "57014";
    private static final String DUPLICATE_TABLE = "42P07";

    /** How much longer than for a lock others may wait for the work under it. */
    private static final int WORK_PER_WAIT = 5;

    private final JdbcContext context;
    private final TableName sent;
    private final PartitionCatalog catalog;
    private final OldRows oldRows;

    PostgresPartitions(JdbcContext context) {
        this.context = context;
        this.sent = context.tables().sent();
        this.catalog = new PartitionCatalog(context);
        this.oldRows = new OldRows(context.dialect(), PartitionCatalog.KEY);
    }

    @Override
    public Layout read() {
        return context.longTransactions()
                .inTransaction("read the partitions", catalog::read)
                .layout();
    }

    @Override
    public Outcome create(Partition partition, Duration lockTimeout, int maxMovedRows) {
        Trail trail = context.longTransactions().inTransaction("read the partitions", catalog::read);
        if (trail.layout().partitions().contains(partition)) {
            return Outcome.DONE;
        }
        if (countInTail(trail, partition, maxMovedRows + 1L) > maxMovedRows) {
            return Outcome.TOO_MANY_ROWS;
        }
        return change("create partition " + partition.name(), connection -> {
            limitWaiting(connection, lockTimeout);
            create(connection, trail, partition);
            return Outcome.DONE;
        });
    }

    /** Without a lock, so a few more may be moved in the end. */
    private long countInTail(Trail trail, Partition partition, long atMost) {
        String sql = "SELECT count(*) AS counted FROM (SELECT FROM %s WHERE %s LIMIT ?) t"
                .formatted(trail.table().tailTable(), isIn(partition));
        return context.longTransactions().inTransaction("count rows of the tail partition", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return statement
                        .with(atMost)
                        .first(row -> row.getLong("counted"))
                        .orElseThrow();
            }
        });
    }

    private void create(Connection connection, Trail trail, Partition partition) throws SQLException {
        String tail = trail.table().tailTable();
        String table = trail.table().schema() + "." + context.dialect().quote(partition.name());
        boolean hasBegun = !partition.from().isAfter(trail.table().present());
        SqlStatement.execute(
                connection,
                "LOCK TABLE ONLY %s IN %s MODE"
                        .formatted(sent, hasBegun ? "ACCESS EXCLUSIVE" : "SHARE UPDATE EXCLUSIVE"));
        SqlStatement.execute(connection, "LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE".formatted(tail));
        SqlStatement.execute(
                connection, "CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES)".formatted(table, sent));
        SqlStatement.execute(
                connection,
                "WITH moved AS (DELETE FROM %1$s WHERE %2$s RETURNING %3$s) INSERT INTO %4$s (%3$s) SELECT %3$s FROM moved"
                        .formatted(tail, isIn(partition), trail.table().columns(), table));
        SqlStatement.execute(
                connection,
                "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)"
                        .formatted(sent, table, literal(partition.from()), literal(partition.upTo())));
    }

    @Override
    public Outcome drop(Partition partition, Duration lockTimeout) {
        return change("drop partition " + partition.name(), connection -> {
            limitWaiting(connection, lockTimeout);
            SqlStatement.execute(connection, "LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE".formatted(sent));
            Optional<Found> found = catalog.read(connection).found().stream()
                    .filter(candidate -> candidate.partition().equals(partition))
                    .findFirst();
            if (found.isPresent()) {
                SqlStatement.execute(connection, "DROP TABLE " + found.get().sqlName());
            }
            return Outcome.DONE;
        });
    }

    @Override
    public int deleteFromTail(Duration olderThan, int limit) {
        return context.longTransactions().inTransaction("delete old rows of the tail partition", connection -> {
            String tail = catalog.read(connection).table().tailTable();
            return oldRows.delete(connection, tail, olderThan, limit);
        });
    }

    private static void limitWaiting(Connection connection, Duration lockTimeout) throws SQLException {
        long millis = lockTimeout.toMillis();
        SqlStatement.execute(
                connection,
                "SELECT set_config('lock_timeout', '%d', true), set_config('statement_timeout', '%d', true)"
                        .formatted(millis, millis * WORK_PER_WAIT));
    }

    /** Turns what is no failure into an outcome, before the runner would try again and make everybody wait once more. */
    private Outcome change(String purpose, SqlWork<Outcome> work) {
        try {
            return context.longTransactions().inTransaction(purpose, connection -> {
                try {
                    return work.run(connection);
                } catch (SQLException error) {
                    throw expected(purpose, error);
                }
            });
        } catch (NotNowException notNow) {
            return notNow.outcome;
        }
    }

    private RuntimeException expected(String purpose, SQLException error) throws SQLException {
        return switch (String.valueOf(error.getSQLState())) {
            case LOCK_NOT_AVAILABLE -> new NotNowException(Outcome.BUSY);
            case QUERY_CANCELED -> new NotNowException(Outcome.TOO_MANY_ROWS);
            case DUPLICATE_TABLE ->
                new StoreException(
                        "Could not " + purpose
                                + ": the schema has another table of that name, which is no partition of " + sent
                                + "; rename or drop it",
                        error);
            default -> throw error;
        };
    }

    private static String isIn(Partition partition) {
        return "%1$s >= %2$s AND %1$s < %3$s"
                .formatted(PartitionCatalog.KEY, literal(partition.from()), literal(partition.upTo()));
    }

    /** DDL takes no parameters. */
    private static String literal(Instant instant) {
        return "TIMESTAMPTZ '" + instant + "'";
    }

    /** Leaves the transaction, which is rolled back. */
    private static final class NotNowException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Outcome outcome;

        NotNowException(Outcome outcome) {
            super(outcome.name());
            this.outcome = outcome;
        }
    }
}
