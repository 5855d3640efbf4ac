package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Copies, updates and deletes rows named by {@link RowRef}. */
final class RowWriter {

    static final String ONE_ROW = "lane = ? AND seq = ? AND id = ?";

    private final JdbcContext context;

    RowWriter(JdbcContext context) {
        this.context = context;
    }

    /** Copies rows that need no values of their own, in as few statements as possible. Returns how many were there. */
    int copyAll(Connection connection, RowMove move, List<RowRef> rows) throws SQLException {
        return copyAll(connection, move, List.of(), rows);
    }

    /** Copies rows that get the same values, the parameters of the move. */
    int copyAll(Connection connection, RowMove move, List<String> values, List<RowRef> rows) throws SQLException {
        int copied = 0;
        for (List<RowRef> chunk : chunks(rows)) {
            RowPredicate predicate = context.dialect().rows(chunk);
            try (SqlStatement statement =
                    context.prepare(connection, move.sql(context.dialect().rowsHint(), predicate.sql()))) {
                copied += statement.withTexts(values).with(predicate).update();
            }
        }
        return copied;
    }

    /** Runs the statement once for each row, as one batch; its last three parameters name the row. */
    <V> void forEach(Connection connection, String sql, Map<RowRef, V> valuesOfRows, Values<V> values)
            throws SQLException {
        if (valuesOfRows.isEmpty()) {
            return;
        }
        try (SqlStatement statement = context.prepare(connection, sql)) {
            for (Map.Entry<RowRef, V> each : valuesOfRows.entrySet()) {
                values.bind(statement, each.getValue());
                statement.with(each.getKey()).addToBatch();
            }
            statement.runBatch();
        }
    }

    /** Returns how many were there. */
    int delete(Connection connection, TableName table, List<RowRef> rows) throws SQLException {
        int deleted = 0;
        for (List<RowRef> chunk : chunks(rows)) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = context.dialect().deleteRows(table, predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                deleted += statement.with(predicate).update();
            }
        }
        return deleted;
    }

    /** By seq, so that transactions which touch the same rows lock them in the same order. */
    private List<List<RowRef>> chunks(List<RowRef> rows) {
        List<RowRef> sorted =
                rows.stream().sorted(Comparator.comparingLong(RowRef::seq)).toList();
        return SqlList.chunks(sorted, context.dialect().maxRowsPerStatement());
    }

    /** Binds the values that stand before the row. */
    @FunctionalInterface
    interface Values<V> {
        void bind(SqlStatement statement, V values) throws SQLException;
    }
}
