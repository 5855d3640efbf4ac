package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes the oldest rows of a table, or of the partition that has the oldest.
 *
 * <p>By their place in the heap, which DELETE without LIMIT needs, and which is unique within one partition only: hence first
 * the partition, then its rows.
 */
final class OldRows {

    private final Dialect dialect;
    private final String isOld;

    OldRows(Dialect dialect, String time) {
        this.dialect = dialect;
        this.isOld = "%1$s <= %2$s ORDER BY %1$s".formatted(time, dialect.nowPlusMicros());
    }

    /** At most {@code limit}; 0 only when none is that old. */
    int delete(Connection connection, String table, Duration age, int limit) throws SQLException {
        Optional<String> holder = holderOfOldest(connection, table, age);
        return holder.isEmpty() ? 0 : deleteFrom(connection, holder.get(), age, limit);
    }

    private Optional<String> holderOfOldest(Connection connection, String table, Duration age) throws SQLException {
        String sql = "SELECT CAST(CAST(tableoid AS regclass) AS text) AS holder FROM %s WHERE %s LIMIT 1"
                .formatted(table, isOld);
        try (SqlStatement statement = SqlStatement.prepare(connection, dialect, sql)) {
            return statement.with(age.negated()).first(row -> row.getString("holder"));
        }
    }

    private int deleteFrom(Connection connection, String holder, Duration age, int limit) throws SQLException {
        String sql = "DELETE FROM ONLY %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM ONLY %1$s WHERE %2$s LIMIT ?))"
                .formatted(holder, isOld);
        try (SqlStatement statement = SqlStatement.prepare(connection, dialect, sql)) {
            return statement.with(age.negated()).with(limit).update();
        }
    }
}
