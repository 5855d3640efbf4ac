package dev.postrider.store.jdbc;

import dev.postrider.message.MessageId;
import dev.postrider.spi.RelayStore.Released;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves due messages from the delayed to the hot table.
 *
 * <p>Needs no fence: the row locks see to it that each message is moved once, whoever moves it.
 */
final class DelayedRelease {

    private static final int MAX_PER_STATEMENT = 500;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final JdbcContext context;
    private final String columns;

    DelayedRelease(JdbcContext context) {
        this.context = context;
        this.columns = (context.dialect().computesLane() ? "" : "lane, ")
                + "id, foreign_id, topic, message_key, type, headers, content_type, payload";
    }

    Released release(Set<Integer> lanes, int limit) {
        if (lanes.isEmpty()) {
            return new Released(0, Optional.empty());
        }
        return context.transactions().inTransaction("release delayed messages", connection -> {
            int released = 0;
            for (List<MessageId> chunk : SqlList.chunks(due(connection, lanes, limit), MAX_PER_STATEMENT)) {
                released += move(connection, chunk);
            }
            return new Released(released, nextDueIn(connection, lanes));
        });
    }

    /** Index (lane, due_at). Without lock, because a limit with a lock would lock more than it returns on some databases. */
    private List<MessageId> due(Connection connection, Set<Integer> lanes, int limit) throws SQLException {
        String sql = "SELECT id FROM %s%s WHERE lane IN (%s) AND due_at <= %s ORDER BY due_at, id LIMIT ?"
                .formatted(
                        context.tables().delayed(),
                        context.dialect().indexHint(context.tables(), "_delayed_by_due"),
                        SqlList.of("?", lanes.size()),
                        context.dialect().now());
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement
                    .withInts(lanes)
                    .with(limit)
                    .list(row -> context.dialect().getId(row, row.findColumn("id")));
        }
    }

    private int move(Connection connection, List<MessageId> candidates) throws SQLException {
        List<MessageId> ids = locked(connection, candidates);
        if (ids.isEmpty()) {
            return 0;
        }
        String in = "WHERE id IN (" + SqlList.of("?", ids.size()) + ")";
        // In the order of the due times, which becomes the order of the new seqs; created_at becomes the time of this
        // insert.
        Dialect dialect = context.dialect();
        String copy = "INSERT INTO %1$s (%2$s%3$s) SELECT %2$s%4$s FROM %5$s %6$s ORDER BY due_at, id"
                .formatted(
                        context.tables().hot(),
                        columns,
                        dialect.fillsCreatedAt() ? "" : ", created_at",
                        dialect.fillsCreatedAt() ? "" : ", " + dialect.now(),
                        context.tables().delayed(),
                        in);
        update(connection, copy, ids);
        return update(connection, "DELETE FROM %s %s".formatted(context.tables().delayed(), in), ids);
    }

    /** Those that nobody else has moved meanwhile; in the order of the ids, so that two relays cannot block each other. */
    private List<MessageId> locked(Connection connection, List<MessageId> ids) throws SQLException {
        String sql = "SELECT id FROM %s WHERE id IN (%s) ORDER BY id FOR UPDATE"
                .formatted(context.tables().delayed(), SqlList.of("?", ids.size()));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return bind(statement, ids).list(row -> context.dialect().getId(row, row.findColumn("id")));
        }
    }

    private int update(Connection connection, String sql, List<MessageId> ids) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return bind(statement, ids).update();
        }
    }

    private static SqlStatement bind(SqlStatement statement, List<MessageId> ids) throws SQLException {
        for (MessageId id : ids) {
            statement.with(id);
        }
        return statement;
    }

    private Optional<Duration> nextDueIn(Connection connection, Set<Integer> lanes) throws SQLException {
        String sql = """
                SELECT %s AS next_due FROM (
                  SELECT (SELECT MIN(d.due_at) FROM %s d WHERE d.lane = l.lane) AS due_at
                  FROM %s l WHERE l.lane IN (%s)
                ) t WHERE t.due_at IS NOT NULL ORDER BY t.due_at LIMIT 1""".formatted(
                        context.dialect().microsUntil("t.due_at"),
                        context.tables().delayed(),
                        context.tables().lane(),
                        SqlList.of("?", lanes.size()));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.withInts(lanes).first(DelayedRelease::nextDueIn);
        }
    }

    /** What is no date is due at no time that could be computed; others may be due before. */
    private static Duration nextDueIn(ResultSet row) throws SQLException {
        long micros = row.getLong("next_due");
        return row.wasNull() ? LOOK_AGAIN : Micros.toDuration(Math.max(0, micros));
    }
}
