package dev.postrider.store.jdbc;

import dev.postrider.message.MessageId;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Lists the held messages that hold back others, without their payloads. Reads the held table from its start. */
final class HeadReader {

    private final JdbcContext context;
    private final String sql;

    HeadReader(JdbcContext context) {
        this.context = context;
        // Without lock and in order of the primary key: operators look, and disturb nobody.
        this.sql = """
                SELECT lane, seq, id, %s AS foreign_id, %s AS topic, %s AS type, %s AS message_key, attempts, last_error, blocked,
                       first_failed_at, %s AS due_in
                FROM %s WHERE next_attempt_at IS NOT NULL OR blocked = TRUE
                ORDER BY lane, seq LIMIT ?""".formatted(
                        context.dialect().possibleText("foreign_id"),
                        context.dialect().possibleText("topic"),
                        context.dialect().possibleText("type"),
                        context.dialect().possibleText("message_key"),
                        context.dialect().microsUntil("next_attempt_at"),
                        context.tables().held());
    }

    List<HeldHead> read(Connection connection, int limit) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.with(limit).list(this::head);
        }
    }

    /** What waits for its destination or for a place there; see {@link Waiting#isWaiting}. */
    List<Waiting> waiting(Connection connection) throws SQLException {
        String grouped = """
                SELECT destination, topic, COUNT(*) AS messages, MIN(first_failed_at) AS since, MAX(last_error) AS error
                FROM %s
                WHERE (attempts = 0 OR last_error LIKE ?)
                  AND blocked = FALSE AND first_failed_at IS NOT NULL AND destination IS NOT NULL
                GROUP BY destination, topic ORDER BY destination, topic""".formatted(context.tables().held());
        try (SqlStatement statement = context.prepare(connection, grouped)) {
            return statement
                    .with(HeldReport.WAITS + "%")
                    .list(row -> new Waiting(
                            row.getString("destination"),
                            row.getString("topic"),
                            row.getLong("messages"),
                            Optional.of(context.dialect().getInstant(row, row.findColumn("since"))),
                            Optional.ofNullable(row.getString("error")).orElse("")));
        }
    }

    private HeldHead head(ResultSet row) throws SQLException {
        String error = row.getString("last_error");
        return new HeldHead(
                new RowRef(row.getInt("lane"), row.getLong("seq"), id(row)),
                row.getString("topic"),
                row.getString("type"),
                Optional.ofNullable(row.getString("message_key")),
                row.getInt("attempts"),
                error == null ? "" : error,
                row.getBoolean("blocked") ? Optional.empty() : Optional.of(dueIn(row.getLong("due_in"))),
                row.getObject("first_failed_at") == null
                        ? Optional.empty()
                        : Optional.of(context.dialect().getInstant(row, row.findColumn("first_failed_at"))));
    }

    private MessageId id(ResultSet row) throws SQLException {
        MessageId id = context.dialect().getId(row, row.findColumn("id"));
        String foreign = row.getString("foreign_id");
        return foreign == null ? id : id.withText(foreign);
    }

    private static Duration dueIn(long micros) {
        return Micros.toDuration(Math.max(0, micros));
    }
}
