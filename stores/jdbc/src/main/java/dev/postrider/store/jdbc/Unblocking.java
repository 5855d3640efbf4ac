package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Ends blocks on an operator's word.
 *
 * <p>The operator does not know the relay's order, but the rows tell: without order a blocked row has kept its due time, with
 * order it has none and gets one only if it is the first of its line. A row without destination, which an older relay wrote,
 * belongs to every line of its key.
 */
final class Unblocking {

    private final JdbcContext context;
    private final LaneFence fence;
    private final Operations operations;
    private final MessageReader reader;

    Unblocking(JdbcContext context) {
        this.context = context;
        this.fence = new LaneFence(context);
        this.operations = new Operations(context);
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    int unblock(Connection connection, Optional<String> key, String operator) throws SQLException {
        int unblocked = 0;
        for (int lane : lanes(connection, key)) {
            // The lane's row lock, as for every change of held rows.
            fence.lock(connection, lane);
            for (Blocked row : blockedRows(connection, lane, key)) {
                unblocked += unblock(connection, row);
            }
        }
        if (unblocked > 0) {
            operations.record(connection, "unblock", key.map(k -> "key=" + k).orElse("all"), unblocked, operator);
        }
        return unblocked;
    }

    private List<Integer> lanes(Connection connection, Optional<String> key) throws SQLException {
        String sql = "SELECT DISTINCT lane FROM %s WHERE blocked = TRUE%s ORDER BY lane"
                .formatted(context.tables().held(), keyCondition(key));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return bindKey(statement, key).list(row -> row.getInt("lane"));
        }
    }

    private List<Blocked> blockedRows(Connection connection, int lane, Optional<String> key) throws SQLException {
        String sql = """
                SELECT h.lane, h.seq, h.id,
                       CASE WHEN h.next_attempt_at IS NULL AND EXISTS (
                         SELECT 1 FROM %1$s e
                         WHERE e.lane = h.lane AND e.message_key = h.message_key AND e.seq < h.seq
                           AND (e.destination = h.destination OR e.destination IS NULL OR h.destination IS NULL))
                       THEN 1 ELSE 0 END AS waits
                FROM %1$s h WHERE h.blocked = TRUE AND h.lane = ?%2$s""".formatted(context.tables().held(), keyCondition(key));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return bindKey(statement.with(lane), key).list(this::blocked);
        }
    }

    private Blocked blocked(ResultSet row) throws SQLException {
        return new Blocked(reader.ref(row), row.getInt("waits") == 1);
    }

    private int unblock(Connection connection, Blocked blocked) throws SQLException {
        String sql = "UPDATE %s SET blocked = FALSE, attempts = 0, next_attempt_at = %s WHERE %s"
                .formatted(
                        context.tables().held(),
                        blocked.waits() ? "NULL" : context.dialect().now(),
                        RowWriter.ONE_ROW);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.with(blocked.ref()).update();
        }
    }

    private static String keyCondition(Optional<String> key) {
        return key.isPresent() ? " AND message_key = ?" : "";
    }

    private static SqlStatement bindKey(SqlStatement statement, Optional<String> key) throws SQLException {
        return key.isPresent() ? statement.with(key) : statement;
    }

    private record Blocked(RowRef ref, boolean waits) {}
}
