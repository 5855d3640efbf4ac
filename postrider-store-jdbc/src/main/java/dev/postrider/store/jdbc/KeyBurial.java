package dev.postrider.store.jdbc;

import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Gives up a key: the row at fault, what is held behind it for its destination, and by a marker what arrives later. */
final class KeyBurial {

    private static final String REST_OF_LINE = "lane = ? AND message_key = ? AND destination = ? AND seq > ?";

    private final JdbcContext context;
    private final RowWriter rows;
    private final BuriedKeys markers;

    KeyBurial(JdbcContext context, RowWriter rows) {
        this.context = context;
        this.rows = rows;
        this.markers = new BuriedKeys(context);
    }

    /** The row itself is copied only; its delete follows with that of all others. */
    void bury(Connection connection, String owner, Change.BuryKey change) throws SQLException {
        TableNames tables = context.tables();
        markers.mark(connection, change.key(), owner);
        RowMove move = Burial.of(context, change.held() ? tables.held() : tables.hot(), change.held());
        rows.forEach(connection, move.sql(RowWriter.ONE_ROW), List.of(change), KeyBurial::bind);
        buryRest(connection, change);
    }

    private static void bind(SqlStatement statement, Change.BuryKey change) throws SQLException {
        Burial.bind(statement, change.reason(), change.attempts(), change.error());
    }

    private void buryRest(Connection connection, Change.BuryKey change) throws SQLException {
        TableNames tables = context.tables();
        String copy = RowMove.between(tables.held(), tables.dead())
                .with("reason", "?")
                .with("attempts", "attempts")
                .with("last_error", "?")
                .with("first_failed_at", "first_failed_at")
                .with("died_at", context.dialect().now())
                .with("retry_requested", "FALSE")
                .sql(REST_OF_LINE);
        try (SqlStatement statement = context.prepare(connection, copy)) {
            statement
                    .with(DeadReason.KEY_BURIED.name())
                    .with("given up with message " + change.row().id());
            bindRest(statement, change).update();
        }
        try (SqlStatement statement =
                context.prepare(connection, "DELETE FROM %s WHERE %s".formatted(tables.held(), REST_OF_LINE))) {
            bindRest(statement, change).update();
        }
    }

    private static SqlStatement bindRest(SqlStatement statement, Change.BuryKey change) throws SQLException {
        return statement
                .with(change.row().lane())
                .with(change.key())
                .with(change.destination())
                .with(change.row().seq());
    }
}
