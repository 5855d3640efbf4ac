package dev.postrider.store.jdbc;

import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.RowCount;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** How the outbox stands, at a price that does not grow with it: counts stop at a bound. */
final class StatsReader {

    private static final long BOUND = 10_000;

    private final JdbcContext context;

    StatsReader(JdbcContext context) {
        this.context = context;
    }

    OutboxStats read() {
        return context.transactions().inTransaction("read statistics", this::read);
    }

    private OutboxStats read(Connection connection) throws SQLException {
        TableNames tables = context.tables();
        long hot = count(connection, tables.hot());
        long held = count(connection, tables.held());
        return new OutboxStats(
                rows(connection, tables.hot(), hot) + rows(connection, tables.held(), held),
                hot <= BOUND && held <= BOUND,
                Math.min(BOUND, held),
                Math.min(BOUND, count(connection, tables.delayed())),
                Math.min(BOUND, count(connection, tables.dead())),
                context.options().keepsDelivered()
                        ? new RowCount(context.dialect().estimateRows(connection, tables.sent()), false)
                        : RowCount.NONE,
                oldestAge(connection));
    }

    private long rows(Connection connection, TableName table, long counted) throws SQLException {
        return counted <= BOUND ? counted : Math.max(counted, context.dialect().estimateRows(connection, table));
    }

    /** Counts to one beyond the bound. */
    private long count(Connection connection, TableName table) throws SQLException {
        String sql = "SELECT COUNT(*) AS counted FROM (SELECT 1 AS one FROM %s LIMIT ?) t".formatted(table);
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement
                    .with(BOUND + 1)
                    .first(row -> row.getLong("counted"))
                    .orElseThrow();
        }
    }

    /** The lowest seq, of each lane if an index has it, stands for the oldest message: one probe for each lane and table. */
    private Duration oldestAge(Connection connection) throws SQLException {
        String lowest =
                "SELECT (SELECT o.created_at FROM %s o WHERE o.lane = l.lane ORDER BY o.seq LIMIT 1) AS created FROM %s l";
        String sql = "SELECT %s AS age FROM (%s UNION ALL %s) t WHERE t.created IS NOT NULL ORDER BY t.created LIMIT 1"
                .formatted(
                        context.dialect().microsUntil("t.created"),
                        context.dialect().hasLaneIndex()
                                ? lowest.formatted(
                                        context.tables().hot(), context.tables().lane())
                                : "(SELECT o.created_at AS created FROM %s o ORDER BY o.seq LIMIT 1)"
                                        .formatted(context.tables().hot()),
                        lowest.formatted(
                                context.tables().held(), context.tables().lane()));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement
                    .first(row -> Micros.toDuration(Math.max(0, -row.getLong("age"))))
                    .orElse(Duration.ZERO);
        }
    }
}
