package dev.postrider.store.jdbc;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks up to which group rows of the hot or the held table belong. */
final class GroupLookup {

    private final JdbcContext context;
    private final MessageReader reader;

    GroupLookup(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** The group of each row that exists and has one. */
    Map<RowRef, HeldGroup> find(Connection connection, TableName table, Ordering ordering, List<RowRef> rows)
            throws SQLException {
        Map<RowRef, HeldGroup> groups = new HashMap<>();
        if (ordering == Ordering.NONE) {
            return groups;
        }
        for (List<RowRef> chunk : SqlList.chunks(rows, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "SELECT lane, seq, id, message_key FROM %s%s WHERE %s"
                    .formatted(table, context.dialect().rowsHint(), predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).list(row -> {
                    RowRef ref = reader.ref(row);
                    HeldGroup.of(ordering, ref.lane(), reader.key(row)).ifPresent(group -> groups.put(ref, group));
                    return ref;
                });
            }
        }
        return groups;
    }
}
