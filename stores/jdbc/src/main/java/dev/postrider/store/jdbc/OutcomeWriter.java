package dev.postrider.store.jdbc;

import dev.postrider.internal.StoredText;
import dev.postrider.spi.RowOutcome.Behind;
import dev.postrider.spi.RowOutcome.Blocked;
import dev.postrider.spi.RowOutcome.Dead;
import dev.postrider.spi.RowOutcome.Delivered;
import dev.postrider.spi.RowOutcome.RetryLater;
import dev.postrider.spi.RowOutcome.Table;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes outcomes inside a fenced transaction: copies first, deletes last.
 *
 * <p>Rows that need values of their own are a batch of small statements; the usual ones (delivered, waiting behind another)
 * are one statement for all.
 */
final class OutcomeWriter {

    private final JdbcContext context;
    private final HeldOrder order;
    private final RowWriter rows;
    private final TableNames tables;
    private final String now;
    private final String later;
    private final boolean buriesContent;

    OutcomeWriter(JdbcContext context, HeldOrder order) {
        this(context, order, true);
    }

    private OutcomeWriter(JdbcContext context, HeldOrder order, boolean buriesContent) {
        this.buriesContent = buriesContent;
        this.context = context;
        this.order = order;
        this.rows = new RowWriter(context);
        this.tables = context.tables();
        this.now = context.dialect().now();
        this.later = context.dialect().nowPlusMicros();
    }

    /** One that leaves headers and payload behind when it buries: the server cannot read them. */
    OutcomeWriter withoutContent() {
        return new OutcomeWriter(context, order, false);
    }

    void write(Connection connection, OutcomeList outcomes) throws SQLException {
        for (Table table : Table.values()) {
            keep(connection, table, outcomes);
            bury(connection, table, outcomes);
        }
        retryLater(connection, outcomes);
        block(connection, outcomes);
        holdBehind(connection, outcomes);
        rows.delete(connection, tables.hot(), outcomes.leavingHot());
        rows.delete(connection, tables.held(), outcomes.leavingHeld());
    }

    private TableName name(Table table) {
        return table == Table.HELD ? tables.held() : tables.hot();
    }

    private void keep(Connection connection, Table from, OutcomeList outcomes) throws SQLException {
        if (context.options().keepsDelivered()) {
            RowMove move = RowMove.between(context.dialect(), name(from), tables.sent())
                    .with("delivered_at", now);
            rows.copyAll(
                    connection,
                    move,
                    List.copyOf(outcomes.of(from, Delivered.class).keySet()));
        }
    }

    private void bury(Connection connection, Table from, OutcomeList outcomes) throws SQLException {
        RowMove burial = toDead(from);
        RowMove move =
                buriesContent ? burial : burial.withoutContent(context.options().payload());
        rows.forEach(
                connection,
                move.sql(RowWriter.ONE_ROW),
                outcomes.of(from, Dead.class),
                (statement, dead) -> statement
                        .with(dead.reason().name())
                        .with(dead.attempts())
                        .with(StoredText.of(dead.error()))
                        .with(dead.attempts())
                        .with(dead.attempts())
                        .with(FailureLog.line(dead.error())));
    }

    private RowMove toDead(Table from) {
        // A message that was never tried has no first failure.
        String failedNow = "CASE WHEN ? > 0 THEN " + now + " END";
        return RowMove.between(context.dialect(), name(from), tables.dead())
                .with("reason", "?")
                .with("attempts", "?")
                .with("last_error", "?")
                .with(
                        "first_failed_at",
                        from == Table.HELD ? "COALESCE(first_failed_at, " + failedNow + ")" : failedNow)
                .with("failures", failures(from == Table.HELD))
                .with("died_at", now)
                .with("retry_requested", "FALSE");
    }

    private String failures(boolean isHeld) {
        return FailureLog.appended(context.dialect(), isHeld ? "failures" : "NULL", isHeld ? "attempts" : "0");
    }

    private void retryLater(Connection connection, OutcomeList outcomes) throws SQLException {
        rows.forEach(
                connection,
                hold(later, "FALSE"),
                outcomes.of(Table.HOT, RetryLater.class),
                (statement, retry) -> bind(statement.with(retry.destination()), retry));
        rows.forEach(
                connection, holdAgain(later, "FALSE"), outcomes.of(Table.HELD, RetryLater.class), OutcomeWriter::bind);
    }

    private static void bind(SqlStatement statement, RetryLater retry) throws SQLException {
        bind(statement, retry.attempts(), retry.error()).with(retry.delay());
    }

    private static SqlStatement bind(SqlStatement statement, int attempts, String error) throws SQLException {
        return statement
                .with(attempts)
                .with(FailureLog.line(error))
                .with(attempts)
                .with(StoredText.of(error));
    }

    private void block(Connection connection, OutcomeList outcomes) throws SQLException {
        String due = order.dueWhenBlocked();
        rows.forEach(
                connection,
                hold(due, "TRUE"),
                outcomes.of(Table.HOT, Blocked.class),
                (statement, blocked) -> bind(statement.with(blocked.destination()), blocked));
        rows.forEach(connection, holdAgain(due, "TRUE"), outcomes.of(Table.HELD, Blocked.class), OutcomeWriter::bind);
    }

    private static void bind(SqlStatement statement, Blocked blocked) throws SQLException {
        bind(statement, blocked.attempts(), blocked.error());
    }

    private String hold(String due, String blocked) {
        return toHeld().with("destination", "?")
                .with("failures", failures(false))
                .with("attempts", "?")
                .with("last_error", "?")
                .with("next_attempt_at", due)
                .with("first_failed_at", now)
                .with("blocked", blocked)
                .sql(RowWriter.ONE_ROW);
    }

    private RowMove toHeld() {
        return RowMove.between(context.dialect(), tables.hot(), tables.held());
    }

    /** MySQL sets one column after the other, and the failures ask for the attempts before. */
    private String holdAgain(String due, String blocked) {
        return """
            UPDATE %s SET failures = %s, attempts = ?, last_error = ?, next_attempt_at = %s, blocked = %s,
            first_failed_at = COALESCE(first_failed_at, %s) WHERE %s\
            """.formatted(tables.held(), failures(true), due, blocked, now, RowWriter.ONE_ROW);
    }

    private void holdBehind(Connection connection, OutcomeList outcomes) throws SQLException {
        RowMove move = toHeld().with("destination", "?")
                .with("attempts", "0")
                .with("next_attempt_at", order.dueWhenQueued())
                .with("blocked", "FALSE");
        Map<String, List<RowRef>> byDestination = outcomes.of(Table.HOT, Behind.class).entrySet().stream()
                .collect(Collectors.groupingBy(
                        each -> each.getValue().destination(),
                        TreeMap::new,
                        Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        for (Map.Entry<String, List<RowRef>> each : byDestination.entrySet()) {
            rows.copyAll(connection, move, List.of(each.getKey()), each.getValue());
        }
    }
}
