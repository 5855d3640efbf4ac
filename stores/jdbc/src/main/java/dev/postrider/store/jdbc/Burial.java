package dev.postrider.store.jdbc;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.DeadReason;
import java.sql.SQLException;

/** The copy of a row into the dead letters. */
final class Burial {

    private Burial() {}

    /** A move whose parameters {@link #bind} binds. */
    static RowMove of(JdbcContext context, TableName from, boolean held) {
        String now = context.dialect().now();
        // A message that was never tried has no first failure.
        String failedNow = "CASE WHEN ? > 0 THEN " + now + " END";
        return RowMove.between(context.dialect(), from, context.tables().dead())
                .with("reason", "?")
                .with("attempts", "?")
                .with("last_error", "?")
                .with("first_failed_at", held ? "COALESCE(first_failed_at, " + failedNow + ")" : failedNow)
                .with("died_at", now)
                .with("retry_requested", "FALSE");
    }

    static void bind(SqlStatement statement, DeadReason reason, int attempts, String error) throws SQLException {
        statement.with(reason.name()).with(attempts).with(StoredText.of(error)).with(attempts);
    }
}
