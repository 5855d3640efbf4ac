package dev.postrider.store.existing;

import dev.postrider.store.existing.Head.Texts;
import dev.postrider.store.existing.Rows.DeadRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The rows of one table that were given up, in it or in its table for them. */
final class StatusGraveyard {

    private static final String T = "t";

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final RowMoves moves;

    StatusGraveyard(TableColumns columns, Conditions conditions, HeadQuery heads, RowMoves moves) {
        this.columns = columns;
        this.conditions = conditions;
        this.heads = heads;
        this.moves = moves;
    }

    String table() {
        return columns.mapping()
                .deadTable
                .map(table -> table.sql(columns.database()))
                .orElse(columns.table());
    }

    List<DeadRow> rows(Connection connection, Optional<RowKey> after, int limit) throws SQLException {
        Optional<Column> since = columns.deadSince().or(() -> columns.find(Role.CREATED));
        String more = since.map(column -> ", COALESCE(%s, 0) AS dead_for".formatted(column.ageInMicros(column.of(T))))
                        .orElse(", 0 AS dead_for")
                + columns.find(Role.LAST_ERROR)
                        .map(column -> ", %s AS %s".formatted(column.of(T), Texts.ERROR))
                        .orElse("");
        Sql sql = Sql.of(heads.select(table(), more)).add("WHERE " + conditions.dead(T));
        after.ifPresent(key -> sql.add("AND " + columns.id().of(T) + " > ?", key.parameter()));
        return sql.add("ORDER BY " + columns.id().of(T)).add("LIMIT ?", limit).list(connection, row -> {
            Head head = heads.head(row);
            if (columns.has(Role.LAST_ERROR)) {
                HeadQuery.put(head.texts(), row, Texts.ERROR);
            }
            return new DeadRow(head, Times.age(row, "dead_for"));
        });
    }

    int retry(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            if (columns.mapping().deadTable.isPresent()) {
                moves.fromDead(connection, RowKey.parameters(some));
            }
            Assignments anew = new Assignments(columns).attempts(0).due().nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.ifPresent(values -> anew.status(values.pending()));
            String isDead = columns.mapping().deadTable.isPresent() ? "" : "AND " + conditions.dead("");
            count += anew.isEmpty()
                    ? some.size()
                    : columns.whereId(anew.update(), some).add(isDead).update(connection);
        }
        return count;
    }

    int discard(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            count += columns.whereId(Sql.of("DELETE FROM " + table()), some)
                    .add("AND " + conditions.dead(""))
                    .update(connection);
        }
        return count;
    }
}
