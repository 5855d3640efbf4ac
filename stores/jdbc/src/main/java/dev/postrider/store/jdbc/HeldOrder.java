package dev.postrider.store.jdbc;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the invariant of the held table: of each group exactly the lowest row has a due time, unless it is blocked; a row
 * without group always has one.
 *
 * <p>Every transaction that changes held rows holds the lane's row lock ({@link LaneFence}), asks for the heads before,
 * and restores after. The price depends on the number of groups touched, not on how many rows wait in them.
 */
final class HeldOrder {

    private final JdbcContext context;
    private final Ordering ordering;
    private final HeldHeads heads;
    private final String makeDue;
    private final String makeWait;

    HeldOrder(JdbcContext context, Ordering ordering) {
        this.context = context;
        this.ordering = ordering;
        this.heads = new HeldHeads(context);
        String held = context.tables().held() + context.dialect().rowsHint();
        this.makeDue = "UPDATE %s SET next_attempt_at = %s WHERE next_attempt_at IS NULL AND blocked = FALSE AND "
                .formatted(held, context.dialect().now());
        this.makeWait = "UPDATE %s SET next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL AND ".formatted(held);
    }

    /**
     * The due time of a row that is put into held to wait its turn. {@link #restore} then makes it due if it is a head; a
     * row that no other can precede is due at once.
     */
    String dueWhenQueued() {
        String now = context.dialect().now();
        return switch (ordering) {
            case PER_KEY -> "CASE WHEN message_key IS NULL THEN " + now + " END";
            case GLOBAL -> neverDue();
            case NONE -> now;
        };
    }

    /** The due time of a row that is blocked. Without order it has one, so that it is due as soon as the block is lifted. */
    String dueWhenBlocked() {
        return ordering == Ordering.NONE ? context.dialect().now() : neverDue();
    }

    /** NULL with the type of a time, which a plain NULL lacks in a select list. */
    private String neverDue() {
        return "CASE WHEN 1 = 0 THEN " + context.dialect().now() + " END";
    }

    /** The heads before the change; call before anything is written. */
    Map<HeldGroup, RowRef> before(Connection connection, Set<HeldGroup> touched) throws SQLException {
        return heads.find(connection, touched);
    }

    /**
     * Restores the invariant.
     *
     * @param before the heads of the touched groups before the change
     * @param dueNow rows of these groups that the change gave a due time, whether they are heads or not
     */
    void restore(Connection connection, Set<HeldGroup> touched, Map<HeldGroup, RowRef> before, Set<RowRef> dueNow)
            throws SQLException {
        Map<HeldGroup, RowRef> after = heads.find(connection, touched);
        Set<RowRef> followers = new LinkedHashSet<>(before.values());
        followers.addAll(dueNow);
        followers.removeAll(new HashSet<>(after.values()));
        update(connection, makeWait, new ArrayList<>(followers));
        update(connection, makeDue, new ArrayList<>(after.values()));
    }

    /** Restores the invariant in a whole lane, whatever state it is in: one index probe for each held row. */
    void repair(Connection connection, int lane) throws SQLException {
        if (ordering == Ordering.NONE) {
            makeAllDue(connection, lane);
            return;
        }
        update(connection, makeWait, select(connection, lane, "h.next_attempt_at IS NOT NULL AND " + behind()));
        update(connection, makeDue, select(connection, lane, "h.next_attempt_at IS NULL AND NOT " + behind()));
    }

    private void makeAllDue(Connection connection, int lane) throws SQLException {
        String sql = "UPDATE %s SET next_attempt_at = %s WHERE lane = ? AND next_attempt_at IS NULL"
                .formatted(context.tables().held(), context.dialect().now());
        try (SqlStatement statement = context.prepare(connection, sql)) {
            statement.with(lane).update();
        }
    }

    private List<RowRef> select(Connection connection, int lane, String condition) throws SQLException {
        String sql = "SELECT h.lane, h.seq, h.id FROM %s h WHERE h.lane = ? AND %s ORDER BY h.seq"
                .formatted(context.tables().held(), condition);
        MessageReader reader = MessageReader.ofAcceptedRows(context.dialect());
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.with(lane).list(reader::ref);
        }
    }

    /** Whether an earlier row of its group exists; never true for one without key or destination: NULL equals nothing. */
    private String behind() {
        return "EXISTS (SELECT 1 FROM %s e WHERE e.lane = h.lane AND e.seq < h.seq%s)"
                .formatted(
                        context.tables().held(),
                        ordering == Ordering.PER_KEY
                                ? " AND e.message_key = h.message_key AND e.destination = h.destination"
                                : "");
    }

    private void update(Connection connection, String sql, List<RowRef> rows) throws SQLException {
        for (List<RowRef> chunk : SqlList.chunks(rows, context.dialect().maxRowsPerStatement())) {
            RowPredicate predicate = context.dialect().rows(chunk);
            try (SqlStatement statement = context.prepare(connection, sql + predicate.sql())) {
                statement.with(predicate).update();
            }
        }
    }
}
