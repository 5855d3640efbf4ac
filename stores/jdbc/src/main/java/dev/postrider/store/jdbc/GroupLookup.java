package dev.postrider.store.jdbc;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks up to which group rows of the hot or the held table belong. */
final class GroupLookup {

    private final JdbcContext context;
    private final Ordering ordering;
    private final MessageReader reader;

    GroupLookup(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.ordering = ordering;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** The group of each row of a table that exists and has one, given where the rows lead. */
    Map<RowRef, HeldGroup> find(Connection connection, TableName table, Map<RowRef, String> destinations)
            throws SQLException {
        return find(
                connection,
                table,
                "",
                destinations.keySet(),
                row -> Optional.ofNullable(destinations.get(reader.ref(row))));
    }

    /** The group of each held row that exists and has one. */
    Map<RowRef, HeldGroup> findHeld(Connection connection, List<RowRef> rows) throws SQLException {
        return find(
                connection,
                context.tables().held(),
                ", destination",
                rows,
                row -> Optional.ofNullable(row.getString("destination")));
    }

    private Map<RowRef, HeldGroup> find(
            Connection connection,
            TableName table,
            String moreColumns,
            Collection<RowRef> rows,
            RowMapper<Optional<String>> destination)
            throws SQLException {
        Map<RowRef, HeldGroup> groups = new HashMap<>();
        if (ordering == Ordering.NONE) {
            return groups;
        }
        for (List<RowRef> chunk :
                SqlList.chunks(List.copyOf(rows), context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "SELECT lane, seq, id, %s AS message_key%s FROM %s%s WHERE %s"
                    .formatted(
                            context.dialect().possibleText("message_key"),
                            moreColumns,
                            table,
                            context.dialect().rowsHint(),
                            predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(predicate).list(row -> put(groups, row, destination.map(row)));
            }
        }
        return groups;
    }

    private boolean put(Map<RowRef, HeldGroup> groups, ResultSet row, Optional<String> destination)
            throws SQLException {
        RowRef ref = reader.ref(row);
        HeldGroup.of(ordering, ref.lane(), reader.key(row), destination).ifPresent(group -> groups.put(ref, group));
        return true;
    }
}
