package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Deletes the oldest rows. In their order, so that the index on the time is used, and the end of the table left alone. */
record OldRows(Dialect dialect, String table, String time) {

    /** At most {@code limit}. */
    int delete(Connection connection, Duration age, int limit) throws SQLException {
        String sql = "DELETE FROM %1$s WHERE %2$s <= %3$s ORDER BY %2$s LIMIT ?"
                .formatted(table, time, dialect.nowPlusMicros());
        try (SqlStatement statement = SqlStatement.prepare(connection, dialect, sql)) {
            return statement.with(age.negated()).with(limit).update();
        }
    }
}
