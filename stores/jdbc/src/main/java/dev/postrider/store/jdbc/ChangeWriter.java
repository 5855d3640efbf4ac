package dev.postrider.store.jdbc;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.Change;
import dev.postrider.spi.Ordering;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes changes inside a fenced transaction: copies first, deletes last.
 *
 * <p>Rows that need values of their own are a batch of small statements; the usual ones (delivered, waiting behind another)
 * are one statement for all.
 */
final class ChangeWriter {

    private final JdbcContext context;
    private final HeldOrder order;
    private final RowWriter rows;
    private final TableNames tables;
    private final String now;
    private final String later;
    private final boolean buriesContent;

    ChangeWriter(JdbcContext context, HeldOrder order) {
        this(context, order, true);
    }

    private ChangeWriter(JdbcContext context, HeldOrder order, boolean buriesContent) {
        this.buriesContent = buriesContent;
        this.context = context;
        this.order = order;
        this.rows = new RowWriter(context);
        this.tables = context.tables();
        this.now = context.dialect().now();
        this.later = context.dialect().nowPlusMicros();
    }

    /** One that leaves headers and payload behind when it buries: the server cannot read them. */
    ChangeWriter withoutContent() {
        return new ChangeWriter(context, order, false);
    }

    void write(Connection connection, Ordering ordering, ChangeList changes) throws SQLException {
        keep(connection, changes);
        hold(connection, changes);
        holdBehind(connection, ordering, changes);
        holdAgain(connection, changes);
        block(connection, ordering, changes);
        bury(connection, changes);
        rows.delete(connection, tables.hot(), changes.leavingHot());
        rows.delete(connection, tables.held(), changes.leavingHeld());
    }

    private void keep(Connection connection, ChangeList changes) throws SQLException {
        List<Change.Keep> hot = changes.of(Change.Keep.class);
        List<Change.DeliverHeld> held = changes.of(Change.DeliverHeld.class, Change.DeliverHeld::keep);
        if (!hot.isEmpty() || !held.isEmpty()) {
            requireAuditTrail();
        }
        rows.copyAll(connection, toSent(tables.hot()), ChangeList.refs(hot));
        rows.copyAll(connection, toSent(tables.held()), ChangeList.refs(held));
    }

    private void requireAuditTrail() {
        if (!context.options().keepsDelivered()) {
            throw new IllegalStateException("Outbox " + tables.outboxName()
                    + " has no audit trail to keep messages in; build its store with one");
        }
    }

    private RowMove toSent(TableName from) {
        return RowMove.between(context.dialect(), from, tables.sent()).with("delivered_at", now);
    }

    private void hold(Connection connection, ChangeList changes) throws SQLException {
        String sql = toHeld().with("destination", "?")
                .with("attempts", "?")
                .with("last_error", "?")
                .with("next_attempt_at", later)
                .with("first_failed_at", now)
                .with("blocked", "FALSE")
                .sql(RowWriter.ONE_ROW);
        rows.forEach(
                connection,
                sql,
                changes.of(Change.Hold.class),
                (statement, hold) -> statement
                        .with(hold.destination())
                        .with(hold.attempts())
                        .with(StoredText.of(hold.error()))
                        .with(hold.delay()));
    }

    private RowMove toHeld() {
        return RowMove.between(context.dialect(), tables.hot(), tables.held());
    }

    private void holdBehind(Connection connection, Ordering ordering, ChangeList changes) throws SQLException {
        RowMove move = toHeld().with("destination", "?")
                .with("attempts", "0")
                .with("next_attempt_at", order.dueWhenQueued(ordering))
                .with("blocked", "FALSE");
        Map<String, List<Change.HoldBehind>> byDestination = changes.of(Change.HoldBehind.class).stream()
                .collect(Collectors.groupingBy(Change.HoldBehind::destination));
        for (Map.Entry<String, List<Change.HoldBehind>> each : byDestination.entrySet()) {
            rows.copyAll(connection, move, List.of(each.getKey()), ChangeList.refs(each.getValue()));
        }
    }

    private void holdAgain(Connection connection, ChangeList changes) throws SQLException {
        String sql = """
                UPDATE %s SET attempts = ?, last_error = ?, next_attempt_at = %s,
                first_failed_at = COALESCE(first_failed_at, %s) WHERE %s""".formatted(tables.held(), later, now, RowWriter.ONE_ROW);
        rows.forEach(
                connection,
                sql,
                changes.of(Change.HoldAgain.class),
                (statement, hold) -> statement
                        .with(hold.attempts())
                        .with(StoredText.of(hold.error()))
                        .with(hold.delay()));
    }

    private void block(Connection connection, Ordering ordering, ChangeList changes) throws SQLException {
        // Without order a due time is kept, so that the row is due as soon as the block is lifted.
        String due = ordering == Ordering.NONE ? now : order.neverDue();
        String copy = toHeld().with("destination", "?")
                .with("attempts", "?")
                .with("last_error", "?")
                .with("next_attempt_at", due)
                .with("first_failed_at", now)
                .with("blocked", "TRUE")
                .sql(RowWriter.ONE_ROW);
        rows.forEach(
                connection,
                copy,
                changes.of(Change.Block.class, block -> !block.held()),
                (statement, block) -> bindBlock(statement.with(block.destination()), block));
        String update = """
                UPDATE %s SET attempts = ?, last_error = ?, next_attempt_at = %s, blocked = TRUE,
                first_failed_at = COALESCE(first_failed_at, %s) WHERE %s""".formatted(tables.held(), due, now, RowWriter.ONE_ROW);
        rows.forEach(connection, update, changes.of(Change.Block.class, Change.Block::held), ChangeWriter::bindBlock);
    }

    private static void bindBlock(SqlStatement statement, Change.Block block) throws SQLException {
        statement.with(block.attempts()).with(StoredText.of(block.error()));
    }

    private void bury(Connection connection, ChangeList changes) throws SQLException {
        rows.forEach(
                connection,
                burial(tables.hot(), false).sql(RowWriter.ONE_ROW),
                changes.of(Change.Bury.class, bury -> !bury.held()),
                ChangeWriter::bindBury);
        rows.forEach(
                connection,
                burial(tables.held(), true).sql(RowWriter.ONE_ROW),
                changes.of(Change.Bury.class, Change.Bury::held),
                ChangeWriter::bindBury);
    }

    private RowMove burial(TableName from, boolean held) {
        RowMove burial = Burial.of(context, from, held);
        return buriesContent ? burial : burial.withoutContent(context.options().payload());
    }

    private static void bindBury(SqlStatement statement, Change.Bury bury) throws SQLException {
        Burial.bind(statement, bury.reason(), bury.attempts(), bury.error());
    }
}
