package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The markers of keys that were given up, in the control table. */
final class BuriedKeys {

    private final JdbcContext context;
    private final String mark;
    private final String lift;

    BuriedKeys(JdbcContext context) {
        this.context = context;
        this.mark = context.dialect()
                .insertIfAbsent(
                        context.tables().control().sql(),
                        List.of("kind", "name", "set_by", "set_at"),
                        List.of("?", "?", "?", context.dialect().now()));
        this.lift = "DELETE FROM %s WHERE kind = ? AND name = ?"
                .formatted(context.tables().control());
    }

    void mark(Connection connection, String key, String by) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, mark)) {
            context.insertIfAbsent(
                    statement.with(ControlKind.BURIED_KEY).with(key).with(by));
        }
    }

    /** Those of the keys that have a marker. */
    Set<String> find(Connection connection, Collection<String> keys) throws SQLException {
        Set<String> found = new HashSet<>();
        for (List<String> chunk :
                SqlList.chunks(new ArrayList<>(keys), context.dialect().maxRowsPerStatement())) {
            String sql = "SELECT name FROM %s WHERE kind = ? AND name IN (%s)"
                    .formatted(context.tables().control(), SqlList.of("?", chunk.size()));
            try (SqlStatement statement = context.prepare(connection, sql)) {
                found.addAll(
                        statement.with(ControlKind.BURIED_KEY).withTexts(chunk).list(row -> row.getString("name")));
            }
        }
        return found;
    }

    void lift(Connection connection, Collection<String> keys) throws SQLException {
        for (String key : keys) {
            try (SqlStatement statement = context.prepare(connection, lift)) {
                statement.with(ControlKind.BURIED_KEY).with(key).update();
            }
        }
    }
}
