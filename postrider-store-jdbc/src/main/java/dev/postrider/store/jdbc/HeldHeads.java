package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
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
            boolean wholeLane = groups.get(0).key().isEmpty();
            statement.list(row -> {
                RowRef ref = reader.ref(row);
                return heads.put(new HeldGroup(ref.lane(), wholeLane ? Optional.empty() : reader.key(row)), ref);
            });
        }
    }

    /** Index (lane, message_key, seq), or the primary key for a whole lane. */
    private String headOf(HeldGroup group) {
        return "(SELECT lane, seq, id, message_key FROM %s WHERE lane = ?%s ORDER BY seq LIMIT 1)"
                .formatted(context.tables().held(), group.key().isPresent() ? " AND message_key = ?" : "");
    }

    private static void bind(SqlStatement statement, HeldGroup group) throws SQLException {
        statement.with(group.lane());
        if (group.key().isPresent()) {
            statement.with(group.key());
        }
    }
}
