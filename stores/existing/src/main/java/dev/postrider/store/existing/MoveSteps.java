package dev.postrider.store.existing;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowOutcome;
import dev.postrider.store.jdbc.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Moves rows from table to table.
 *
 * <p>Every move names its rows by id, in INSERT … SELECT and DELETE of one transaction: a condition on the time would be judged twice,
 * and lose the rows that fell due in between.
 */
final class MoveSteps {

    /** When a row is due that waits for an operator. */
    static final String NEVER = "TIMESTAMP '9999-12-31 00:00:00'";

    private static final String MESSAGE = "id, metadata, data, create_time";
    private static final int MAX_REASON = 1024;

    private final Database database;
    private final MovePaths paths;
    private final boolean countsRetries;

    /** @param countsRetries whether pending rows have a count of their attempts */
    MoveSteps(Database database, MovePaths paths, boolean countsRetries) {
        this.database = database;
        this.paths = paths;
        this.countsRetries = countsRetries;
    }

    void toCompleted(Connection connection, List<RowKey> keys) throws SQLException {
        for (List<RowKey> some : RowKey.chunks(keys)) {
            List<Object> ids = RowKey.parameters(some);
            if (paths.completed().isPresent()) {
                insert(paths.completed().get(), ", sent_time", ", UTC_TIMESTAMP(6)", paths.pending())
                        .addList(ids)
                        .update(connection);
            }
            delete(connection, paths.pending(), ids);
        }
    }

    void toWait(Connection connection, RowKey key, RowOutcome.RetryLater retry) throws SQLException {
        toWait(
                connection,
                key,
                "DATE_ADD(UTC_TIMESTAMP(6), INTERVAL ? MICROSECOND)",
                retry.attempts(),
                Micros.of(retry.delay()));
    }

    void toWaitForever(Connection connection, RowKey key, RowOutcome.Blocked blocked) throws SQLException {
        toWait(connection, key, NEVER, blocked.attempts());
    }

    private void toWait(Connection connection, RowKey key, String due, Object... values) throws SQLException {
        List<Object> id = List.of(key.parameter());
        insert(waiting(), ", retry_count, retry_time", ", ?, " + due, paths.pending(), values)
                .addList(id)
                .update(connection);
        delete(connection, paths.pending(), id);
    }

    void toParkingLot(Connection connection, RowKey key, RowOutcome.Dead dead) throws SQLException {
        park(connection, paths.pending(), RowKey.parameters(List.of(key)), dead.attempts(), reasonOf(dead));
    }

    private static String reasonOf(RowOutcome.Dead dead) {
        return dead.reason() == DeadReason.ATTEMPTS_EXHAUSTED
                ? "max retries (%d) exceeded: %s".formatted(dead.attempts(), dead.error())
                : DeadText.of(dead);
    }

    private void park(Connection connection, TablePath from, List<Object> ids, int attempts, String reason)
            throws SQLException {
        insert(
                        parkingLot(),
                        ", retry_count, reason, park_time",
                        ", ?, ?, UTC_TIMESTAMP(6)",
                        from,
                        attempts,
                        StoredText.of(reason, MAX_REASON))
                .addList(ids)
                .update(connection);
        delete(connection, from, ids);
    }

    void bringBack(Connection connection, List<RowKey> waiting) throws SQLException {
        for (List<RowKey> some : RowKey.chunks(waiting)) {
            List<Object> ids = RowKey.parameters(some);
            insert(paths.pending(), ", retry_count", ", retry_count", waiting())
                    .addList(ids)
                    .update(connection);
            delete(connection, waiting(), ids);
        }
    }

    int retry(Connection connection, List<RowKey> parked) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(parked)) {
            List<Object> ids = RowKey.parameters(some);
            count += insert(
                            paths.pending(),
                            countsRetries ? ", retry_count" : "",
                            countsRetries ? ", 0" : "",
                            parkingLot())
                    .addList(ids)
                    .update(connection);
            delete(connection, parkingLot(), ids);
        }
        return count;
    }

    int discard(Connection connection, List<RowKey> parked) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(parked)) {
            count += delete(connection, parkingLot(), RowKey.parameters(some));
        }
        return count;
    }

    private TablePath waiting() {
        return paths.waiting().orElseThrow();
    }

    private TablePath parkingLot() {
        return paths.parkingLot().orElseThrow();
    }

    /** To be followed by the ids; names and values are further ones, each after a comma. */
    private Sql insert(TablePath to, String names, String values, TablePath from, Object... parameters) {
        return Sql.of(
                "INSERT INTO %s (%s%s) SELECT %s%s FROM %s WHERE id IN"
                        .formatted(sql(to), MESSAGE, names, MESSAGE, values, sql(from)),
                parameters);
    }

    private int delete(Connection connection, TablePath table, List<Object> ids) throws SQLException {
        return Sql.of("DELETE FROM %s WHERE id IN".formatted(sql(table)))
                .addList(ids)
                .update(connection);
    }

    private String sql(TablePath table) {
        return table.sql(database);
    }
}
