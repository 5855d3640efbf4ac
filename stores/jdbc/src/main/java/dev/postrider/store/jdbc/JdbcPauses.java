package dev.postrider.store.jdbc;

import dev.postrider.spi.Pauses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pauses as rows of the control table. */
final class JdbcPauses implements Pauses {

    private final JdbcContext context;
    private final Operations operations;

    JdbcPauses(JdbcContext context) {
        this.context = context;
        this.operations = new Operations(context);
    }

    @Override
    public Set<String> paused() {
        String sql =
                "SELECT name FROM %s WHERE kind = ?".formatted(context.tables().control());
        return context.transactions().inTransaction("read pauses", connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                return new HashSet<>(statement.with(ControlKind.PAUSE).list(row -> row.getString("name")));
            }
        });
    }

    @Override
    public void pause(String destination, String operator) {
        String sql = context.dialect()
                .insertIfAbsent(
                        context.tables().control().sql(),
                        List.of("kind", "name", "set_by", "set_at"),
                        List.of("?", "?", "?", context.dialect().now()));
        context.transactions().run("pause " + destination, connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(ControlKind.PAUSE).with(destination).with(Operations.stored(operator));
                if (context.insertIfAbsent(statement)) {
                    operations.record(connection, "pause", destination, 1, operator);
                }
            }
        });
    }

    @Override
    public void resume(String destination, String operator) {
        String sql = "DELETE FROM %s WHERE kind = ? AND name = ?"
                .formatted(context.tables().control());
        context.transactions().run("resume " + destination, connection -> {
            try (SqlStatement statement = context.prepare(connection, sql)) {
                if (statement.with(ControlKind.PAUSE).with(destination).update() > 0) {
                    operations.record(connection, "resume", destination, 1, operator);
                }
            }
        });
    }
}
