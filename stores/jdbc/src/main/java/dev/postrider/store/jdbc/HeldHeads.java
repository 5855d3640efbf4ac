package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the lowest held row of groups: one index entry each, however many rows wait behind it. */
final class HeldHeads {

    private static final int GROUPS_PER_STATEMENT = 50;

    private final JdbcContext context;
    private final MessageReader reader;

    HeldHeads(JdbcContext context) {
        this.context = context;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** The heads by group; a group without held rows is missing. */
    Map<HeldGroup, RowRef> find(Connection connection, Collection<HeldGroup> groups) throws SQLException {
        Map<HeldGroup, RowRef> heads = new HashMap<>();
        for (List<HeldGroup> chunk : SqlList.chunks(new ArrayList<>(groups), GROUPS_PER_STATEMENT)) {
            findChunk(connection, chunk, heads);
        }
        return heads;
    }

    private void findChunk(Connection connection, List<HeldGroup> groups, Map<HeldGroup, RowRef> heads)
            throws SQLException {
        String sql =
                String.join(" UNION ALL ", groups.stream().map(this::headOf).toList());
        try (SqlStatement statement = context.prepare(connection, sql)) {
            for (HeldGroup group : groups) {
                bind(statement, group);
            }
            boolean wholeLane = groups.get(0).line().isEmpty();
            statement.list(row -> {
                RowRef ref = reader.ref(row);
                return heads.put(wholeLane ? new HeldGroup(ref.lane(), Optional.empty()) : lineOf(row), ref);
            });
        }
    }

    private HeldGroup lineOf(ResultSet row) throws SQLException {
        return HeldGroup.of(
                new HeldLine(row.getInt("lane"), row.getString("message_key"), row.getString("destination")));
    }

    /** The index of lines, or the primary key for a whole lane. */
    private String headOf(HeldGroup group) {
        return "(SELECT lane, seq, id, message_key, destination FROM %s%s WHERE lane = ?%s ORDER BY seq LIMIT 1)"
                .formatted(
                        context.tables().held(),
                        group.line().isPresent() ? context.heldLineHint() : "",
                        group.line().isPresent() ? " AND message_key = ? AND destination = ?" : "");
    }

    private static void bind(SqlStatement statement, HeldGroup group) throws SQLException {
        statement.with(group.lane());
        if (group.line().isPresent()) {
            statement.with(group.line().get().key()).with(group.line().get().destination());
        }
    }
}
