package dev.postrider.store.jdbc;

import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds held rows that belong to no destination, and gives them one. */
final class HeldAssignment {

    private final JdbcContext context;
    private final HeldOrder order;
    private final GroupLookup groups;
    private final MessageReader reader;

    HeldAssignment(JdbcContext context, HeldOrder order, GroupLookup groups) {
        this.context = context;
        this.order = order;
        this.groups = groups;
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** Removes the destination from rows that are for other destinations than these. */
    void forgetOthers(Connection connection, int lane, Set<String> destinations) throws SQLException {
        String others = destinations.isEmpty()
                ? "destination IS NOT NULL"
                : "destination NOT IN (" + SqlList.of("?", destinations.size()) + ")";
        String sql = "UPDATE %s SET destination = NULL WHERE lane = ? AND %s"
                .formatted(context.tables().held(), others);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            statement.with(lane).withTexts(destinations).update();
        }
    }

    List<RowRef> unassigned(Connection connection, int lane, int maxRows, long maxBytes) throws SQLException {
        List<RowRef> fitting = new ArrayList<>();
        long bytes = 0;
        for (Sized row : sizes(connection, lane, maxRows)) {
            bytes += row.bytes();
            if (!fitting.isEmpty() && bytes > maxBytes) {
                break;
            }
            fitting.add(row.ref());
        }
        return fitting;
    }

    /** PostgreSQL has an index of just these rows; elsewhere they are one range of the index of lines. */
    private List<Sized> sizes(Connection connection, int lane, int limit) throws SQLException {
        String sql =
                "SELECT h.lane, h.seq, h.id, %s AS bytes FROM %s h%s WHERE h.lane = ? AND h.destination IS NULL LIMIT ?"
                        .formatted(reader.payloadBytes("h"), context.tables().held(), context.heldLineHint());
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.with(lane).with(limit).list(row -> new Sized(reader.ref(row), row.getLong("bytes")));
        }
    }

    void assign(Connection connection, Map<RowRef, String> destinations) throws SQLException {
        Map<RowRef, HeldGroup> joined = groups.find(connection, context.tables().held(), destinations);
        Set<HeldGroup> touched = new HashSet<>(joined.values());
        Map<HeldGroup, RowRef> before = order.before(connection, touched);
        Map<String, List<RowRef>> byDestination = new HashMap<>();
        destinations.forEach((ref, name) ->
                byDestination.computeIfAbsent(name, n -> new ArrayList<>()).add(ref));
        for (Map.Entry<String, List<RowRef>> each : byDestination.entrySet()) {
            assign(connection, each.getKey(), each.getValue());
        }
        order.restore(connection, touched, before, joined.keySet());
    }

    private void assign(Connection connection, String destination, List<RowRef> rows) throws SQLException {
        for (List<RowRef> chunk : SqlList.chunks(rows, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            String sql = "UPDATE %s%s SET destination = ? WHERE %s"
                    .formatted(context.tables().held(), context.dialect().rowsHint(), predicate.sql());
            try (SqlStatement statement = context.prepare(connection, sql)) {
                statement.with(destination).with(predicate).update();
            }
        }
    }

    private record Sized(RowRef ref, long bytes) {}
}
