package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Dead letters chosen by a condition, and locked where they are to be changed: so each is counted once, and not moved meanwhile. */
final class LockedLetters {

    private final JdbcContext context;
    private final MessageReader reader;

    LockedLetters(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** In the order in which everybody else locks them. */
    List<RowRef> select(Connection connection, DeadLetterCondition condition, int limit) throws SQLException {
        return select(connection, condition, condition.from(context, ""), "lane, seq, id LIMIT ? FOR UPDATE", limit);
    }

    /** Without locking them. */
    List<RowRef> look(Connection connection, DeadLetterCondition condition, int limit) throws SQLException {
        return select(connection, condition, condition.from(context, ""), "lane, seq, id LIMIT ?", limit);
    }

    /** The oldest first, by the index on their time; a deadlock is possible and costs a repetition. */
    List<RowRef> selectOldest(Connection connection, DeadLetterCondition condition, int limit) throws SQLException {
        String byTime = context.tables().dead() + context.dialect().indexHint(context.tables(), "_dead_by_time");
        return select(connection, condition, byTime, "died_at LIMIT ? FOR UPDATE", limit);
    }

    private List<RowRef> select(
            Connection connection, DeadLetterCondition condition, String from, String orderAndLimit, int limit)
            throws SQLException {
        String sql =
                "SELECT lane, seq, id FROM %s WHERE %s ORDER BY %s".formatted(from, condition.sql(), orderAndLimit);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return condition.bind(statement).with(limit).list(reader::ref);
        }
    }
}
