package dev.postrider.store.existing;

import dev.postrider.spi.RowCount;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts rows up to a bound; beyond it the planner estimates them. */
final class Tally {

    private static final Pattern ROWS = Pattern.compile("rows=([0-9]+)");

    private Tally() {}

    /** @param from the table and its condition: what stands behind FROM */
    static RowCount of(Connection connection, Database database, String from, int atMost) throws SQLException {
        long counted = Sql.of("SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s LIMIT ?) c".formatted(from), atMost)
                .first(connection, row -> row.getLong(1))
                .orElse(0L);
        return counted < atMost
                ? new RowCount(counted, true)
                : new RowCount(
                        Math.max(counted, estimate(connection, database, from).rows()), false);
    }

    /** What the planner expects. */
    static RowCount estimate(Connection connection, Database database, String from) throws SQLException {
        return new RowCount(expected(connection, database, from), false);
    }

    private static long expected(Connection connection, Database database, String from) throws SQLException {
        return switch (database) {
            case TIDB ->
                Sql.of("EXPLAIN SELECT 1 FROM " + from)
                        .first(connection, row -> Math.round(row.getDouble("estRows")))
                        .orElse(0L);
            case POSTGRES ->
                Sql.of("EXPLAIN SELECT 1 FROM " + from)
                        .first(connection, Tally::planned)
                        .orElse(0L);
            case MYSQL, MARIADB ->
                Sql.of("EXPLAIN FORMAT = TRADITIONAL SELECT 1 FROM " + from)
                        .first(connection, row -> row.getLong("rows"))
                        .orElse(0L);
        };
    }

    private static long planned(ResultSet row) throws SQLException {
        Matcher rows = ROWS.matcher(row.getString(1));
        return rows.find() ? Long.parseLong(rows.group(1)) : 0;
    }
}
