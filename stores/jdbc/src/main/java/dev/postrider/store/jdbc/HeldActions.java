package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What operators do to a row that holds back its key.
 *
 * <p>A relay may have a row that is due in its hands, so such a row is left alone. One that waits for its time, or is blocked, is in the
 * database only. The lane's row lock puts these changes into the sequence of those that the owner makes.
 */
final class HeldActions {

    private final JdbcContext context;
    private final LaneFence fence;
    private final Operations operations;
    private final RowWriter rows;
    private final MessageReader reader;
    private final String look;
    private final String retry;
    private final String makeDue;

    HeldActions(JdbcContext context) {
        this.context = context;
        this.fence = new LaneFence(context);
        this.operations = new Operations(context);
        this.rows = new RowWriter(context);
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
        TableName held = context.tables().held();
        String now = context.dialect().now();
        this.look = """
                SELECT lane, seq, id, message_key, destination, blocked,
                       CASE WHEN next_attempt_at IS NULL THEN 1 ELSE 0 END AS has_no_time,
                       CASE WHEN next_attempt_at > %s THEN 1 ELSE 0 END AS waits
                FROM %s WHERE %%s ORDER BY seq LIMIT 1""".formatted(now, held);
        this.retry = "UPDATE %s SET next_attempt_at = %s WHERE %s".formatted(held, now, RowWriter.ONE_ROW);
        this.makeDue = retry + " AND next_attempt_at IS NULL AND blocked = FALSE AND destination IS NOT NULL";
    }

    boolean retry(Connection connection, RowRef row, String operator) throws SQLException {
        fence.lock(connection, row.lane());
        if (find(connection, row)
                .filter(found -> found.waits() && !found.isBlocked())
                .isEmpty()) {
            return false;
        }
        update(connection, retry, row);
        operations.record(connection, "retry held", "id=" + row.id(), 1, operator);
        return true;
    }

    boolean discard(Connection connection, RowRef row, String operator) throws SQLException {
        fence.lock(connection, row.lane());
        Optional<Row> found = find(connection, row).filter(one -> one.isBlocked() || one.waits());
        if (found.isEmpty()) {
            return false;
        }
        boolean wasFirst = first(connection, row.lane()).equals(found);
        rows.delete(connection, context.tables().held(), List.of(row));
        Optional<Row> next = successor(connection, found.get(), wasFirst);
        if (next.isPresent()) {
            update(connection, makeDue, next.get().ref());
        }
        operations.record(connection, "discard held", "id=" + row.id(), 1, operator);
        return true;
    }

    /**
     * Who goes on. The operator does not know the relay's order, but the rows tell: where the whole lane is one line, which needs an outbox of
     * one lane, only the first row of all can have been the one, and the next of all has no time of its own.
     */
    private Optional<Row> successor(Connection connection, Row discarded, boolean wasFirst) throws SQLException {
        if (wasFirst && context.options().lanes() == 1) {
            Optional<Row> first = first(connection, discarded.ref().lane());
            if (first.filter(Row::hasNoTime).isPresent()) {
                return first;
            }
        }
        return nextOfLine(connection, discarded);
    }

    private Optional<Row> nextOfLine(Connection connection, Row row) throws SQLException {
        if (row.key().isEmpty() || row.destination().isEmpty()) {
            return Optional.empty();
        }
        try (SqlStatement statement =
                context.prepare(connection, look.formatted("lane = ? AND message_key = ? AND destination = ?"))) {
            return statement
                    .with(row.ref().lane())
                    .with(row.key().get())
                    .with(row.destination().get())
                    .first(this::row);
        }
    }

    private Optional<Row> first(Connection connection, int lane) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, look.formatted("lane = ?"))) {
            return statement.with(lane).first(this::row);
        }
    }

    private Optional<Row> find(Connection connection, RowRef ref) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, look.formatted(RowWriter.ONE_ROW))) {
            return statement.with(ref).first(this::row);
        }
    }

    private void update(Connection connection, String sql, RowRef row) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql)) {
            statement.with(row).update();
        }
    }

    private Row row(ResultSet row) throws SQLException {
        return new Row(
                reader.ref(row),
                Optional.ofNullable(row.getString("message_key")),
                Optional.ofNullable(row.getString("destination")),
                row.getBoolean("blocked"),
                row.getInt("has_no_time") == 1,
                row.getInt("waits") == 1);
    }

    /**
     * A held row.
     *
     * @param hasNoTime whether it waits behind another, or for an operator
     * @param waits whether its next attempt is yet to come
     */
    private record Row(
            RowRef ref,
            Optional<String> key,
            Optional<String> destination,
            boolean isBlocked,
            boolean hasNoTime,
            boolean waits) {}
}
