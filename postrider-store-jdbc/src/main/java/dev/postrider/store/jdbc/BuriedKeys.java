package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

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

    void lift(Connection connection, Collection<String> keys) throws SQLException {
        for (String key : keys) {
            try (SqlStatement statement = context.prepare(connection, lift)) {
                statement.with(ControlKind.BURIED_KEY).with(key).update();
            }
        }
    }
}
