package dev.postrider.store.jdbc;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts dead letters back into held, inside a fenced transaction. */
final class RetryAdoption {

    private final JdbcContext context;
    private final RowWriter rows;
    private final Ordering ordering;
    private final HeldOrder order;
    private final MessageReader reader;

    RetryAdoption(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.ordering = ordering;
        this.rows = new RowWriter(context);
        this.order = new HeldOrder(context, ordering);
        this.reader = MessageReader.ofAcceptedRows(context.dialect());
    }

    /** The lowest first, so that those of a key that are left for the next time come behind. */
    int adopt(Connection connection, int lane, int limit) throws SQLException {
        Map<RowRef, Optional<String>> letters = lowestRequested(connection, lane, limit);
        moveToHeld(connection, lane, letters);
        return letters.size();
    }

    private Map<RowRef, Optional<String>> lowestRequested(Connection connection, int lane, int limit)
            throws SQLException {
        String sql = """
                SELECT lane, seq, id, message_key FROM %s%s
                WHERE retry_requested = TRUE AND lane = ? ORDER BY seq LIMIT ?""".formatted(
                        context.tables().dead(), context.dialect().indexHint(context.tables(), "_dead_by_request"));
        Map<RowRef, Optional<String>> letters = new LinkedHashMap<>();
        try (SqlStatement statement = context.prepare(connection, sql)) {
            statement.with(lane).with(limit).list(row -> letters.put(reader.ref(row), reader.key(row)) == null);
        }
        return letters;
    }

    private void moveToHeld(Connection connection, int lane, Map<RowRef, Optional<String>> letters)
            throws SQLException {
        Set<HeldGroup> touched = new HashSet<>();
        // The relay will say for what destination they are: until then they belong to no line.
        letters.values()
                .forEach(key ->
                        HeldGroup.of(ordering, lane, key, Optional.empty()).ifPresent(touched::add));
        Map<HeldGroup, RowRef> before = order.before(connection, touched);
        RowMove move = RowMove.between(
                        context.dialect(),
                        context.tables().dead(),
                        context.tables().held())
                .with("attempts", "0")
                .with("next_attempt_at", order.dueWhenQueued())
                .with("blocked", "FALSE")
                .with("last_error", "last_error")
                .with("failures", "failures")
                .with("first_failed_at", "first_failed_at");
        List<RowRef> refs = new ArrayList<>(letters.keySet());
        int copied = rows.copyAll(connection, move, refs);
        if (rows.delete(connection, context.tables().dead(), refs) != copied) {
            // The copy saw a letter that an operator was about to discard: it must not come back to life.
            throw new ConcurrentChangeException("An operator discarded dead letters that were to be retried");
        }
        order.restore(connection, touched, before, Set.of());
    }
}
