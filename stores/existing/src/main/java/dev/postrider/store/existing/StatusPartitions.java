package dev.postrider.store.existing;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The range partitions of an existing table in MySQL or MariaDB, by seconds since 1970.
 *
 * <p>Unlike an audit trail such a table holds rows that are not yet delivered, or were given up. A partition with any of them is not
 * shown as one that could be dropped, and is looked at once more before it is dropped, with the table locked: in between somebody might
 * write into it.
 */
final class StatusPartitions implements AuditPartitions {

    /** Of a lock, and of a statement in MariaDB and in MySQL. */
    private static final Set<Integer> TIMEOUTS = Set.of(1205, 1969, 3024);

    private static final String TAIL_BOUND = "MAXVALUE";

    private final DataSource dataSource;
    private final TransactionRunner transactions;
    private final TableColumns columns;
    private final Conditions conditions;

    StatusPartitions(DataSource dataSource, TransactionRunner transactions, StatusTable table) {
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.columns = table.columns();
        this.conditions = table.conditions();
    }

    @Override
    public Layout read() {
        return transactions.inTransaction("read partitions", connection -> {
            Instant now = Instant.ofEpochSecond(Sql.of("SELECT UNIX_TIMESTAMP()")
                    .first(connection, row -> row.getLong(1))
                    .orElseThrow());
            List<Found> all = found(connection);
            List<Partition> shown = new ArrayList<>();
            List<Partition> kept = new ArrayList<>();
            Instant from = Instant.MIN;
            for (Found one : all) {
                if (one.bound().isPresent()) {
                    Instant upTo = Instant.ofEpochSecond(one.bound().getAsLong());
                    boolean isShown = upTo.isAfter(now) || isDisposable(connection, one.name());
                    (isShown ? shown : kept).add(new Partition(one.name(), from, upTo));
                    from = upTo;
                }
            }
            return new Layout(now, shown, tail(all), "", kept);
        });
    }

    private List<Found> found(Connection connection) throws SQLException {
        List<Found> all = Sql.of(
                        """
                        SELECT partition_name, partition_description FROM information_schema.partitions
                        WHERE table_name = ? AND table_schema = COALESCE(?, DATABASE()) AND partition_name IS NOT NULL
                        ORDER BY partition_ordinal_position""",
                        columns.mapping().table.name(),
                        columns.mapping().table.schema().orElse(null))
                .list(connection, row -> new Found(row.getString(1), boundOf(row.getString(2))));
        tail(all);
        return all;
    }

    private static OptionalLong boundOf(String description) {
        return description.equals(TAIL_BOUND) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(description));
    }

    private String tail(List<Found> all) {
        return all.stream()
                .filter(one -> one.bound().isEmpty())
                .map(Found::name)
                .findFirst()
                .orElseThrow(() -> new StoreException(
                        "Table %s has no partition up to MAXVALUE; add one: without it rows of the future are refused"
                                .formatted(columns.mapping().table)));
    }

    /** Whether all rows of the partition were delivered. */
    private boolean isDisposable(Connection connection, String name) throws SQLException {
        return Sql.of(undelivered(name, "")).first(connection, row -> true).isEmpty();
    }

    /** The same while all writers wait: a look that an index does not make quick ends after this time. */
    private boolean isDisposable(Connection connection, String name, Duration limit) throws SQLException {
        String sql = columns.database() == Database.MARIADB
                ? "SET STATEMENT max_statement_time = %d FOR ".formatted(Math.max(1, limit.toSeconds()))
                        + undelivered(name, "")
                : undelivered(name, "/*+ MAX_EXECUTION_TIME(%d) */ ".formatted(Math.max(1, limit.toMillis())));
        return Sql.of(sql).first(connection, row -> true).isEmpty();
    }

    /** Finds one row of the partition that is not delivered. */
    String undelivered(String partition, String hint) {
        return "SELECT %s1 FROM %s PARTITION (%s) WHERE %s LIMIT 1"
                .formatted(
                        hint, columns.table(), columns.database().quote(partition), conditions.notDeliveredInPlace(""));
    }

    @Override
    public Outcome create(Partition partition, Duration lockTimeout, int maxMovedRows) {
        return change("create a partition", lockTimeout, connection -> {
            List<Found> all = found(connection);
            long bound = partition.upTo().getEpochSecond();
            if (all.stream().anyMatch(one -> one.bound().orElse(Long.MIN_VALUE) >= bound)) {
                return Outcome.DONE;
            }
            String tail = columns.database().quote(tail(all));
            if (moved(connection, tail, bound, maxMovedRows) > maxMovedRows) {
                return Outcome.TOO_MANY_ROWS;
            }
            SqlStatement.execute(
                    connection,
                    "ALTER TABLE %s REORGANIZE PARTITION %s INTO (PARTITION %s VALUES LESS THAN (%d), PARTITION %s VALUES LESS THAN (MAXVALUE))"
                            .formatted(columns.table(), tail, columns.database().quote(partition.name()), bound, tail));
            return Outcome.DONE;
        });
    }

    private long moved(Connection connection, String tail, long bound, int atMost) throws SQLException {
        return Sql.of(
                        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s PARTITION (%s) WHERE %s < ? LIMIT ?) c"
                                .formatted(columns.table(), tail, partitionColumn()),
                        bound,
                        atMost + 1L)
                .first(connection, row -> row.getLong(1))
                .orElse(0L);
    }

    @Override
    public Outcome drop(Partition partition, Duration lockTimeout) {
        return change("drop a partition", lockTimeout, connection -> {
            boolean isAsShown = found(connection).stream()
                    .anyMatch(one -> one.name().equals(partition.name())
                            && one.bound()
                                    .equals(OptionalLong.of(partition.upTo().getEpochSecond())));
            if (!isAsShown) {
                return Outcome.DONE;
            }
            SqlStatement.execute(connection, "LOCK TABLES %s WRITE".formatted(columns.table()));
            try {
                if (!isDisposable(connection, partition.name(), lockTimeout)) {
                    return Outcome.BUSY;
                }
                SqlStatement.execute(
                        connection,
                        "ALTER TABLE %s DROP PARTITION %s"
                                .formatted(columns.table(), columns.database().quote(partition.name())));
                return Outcome.DONE;
            } finally {
                SqlStatement.execute(connection, "UNLOCK TABLES");
            }
        });
    }

    /** On a connection of its own, with auto-commit: DDL is no part of a transaction, and a table lock belongs to the session. */
    private Outcome change(String purpose, Duration lockTimeout, Change change) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            SqlStatement.execute(
                    connection,
                    "SET @postrider_lock_wait = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = "
                            + Math.max(1, lockTimeout.toSeconds()));
            try {
                return change.run(connection);
            } finally {
                SqlStatement.execute(connection, "SET SESSION lock_wait_timeout = @postrider_lock_wait");
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException error) {
            if (TIMEOUTS.contains(error.getErrorCode())) {
                return Outcome.BUSY;
            }
            throw new StoreException(
                    "Could not %s of %s: %s".formatted(purpose, columns.mapping().table, error.getMessage()), error);
        }
    }

    /** Only delivered rows. */
    @Override
    public int deleteFromTail(Duration olderThan, int limit) {
        return transactions.inTransaction(
                "delete from the last partition",
                connection -> Sql.of(
                                "DELETE FROM %s PARTITION (%s) WHERE %s AND %s <= UNIX_TIMESTAMP() - ? LIMIT ?"
                                        .formatted(
                                                columns.table(),
                                                columns.database().quote(tail(found(connection))),
                                                conditions.deliveredInPlace(""),
                                                partitionColumn()),
                                olderThan.toSeconds(),
                                limit)
                        .update(connection));
    }

    private String partitionColumn() {
        return columns.of(Role.PARTITION).sql();
    }

    static Optional<AuditPartitions> of(DataSource dataSource, TransactionRunner transactions, StatusTable table) {
        return table.columns().has(Role.PARTITION)
                ? Optional.of(new StatusPartitions(dataSource, transactions, table))
                : Optional.empty();
    }

    /** One partition as the catalogue shows it; the tail has no bound. */
    private record Found(String name, OptionalLong bound) {}

    /** One change of the table. */
    private interface Change {
        Outcome run(Connection connection) throws SQLException;
    }
}
