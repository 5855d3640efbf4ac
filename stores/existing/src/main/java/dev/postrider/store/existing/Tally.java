package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many rows there are: counted up to a bound, and estimated by the planner beyond it.
 *
 * @param isExact whether they were counted
 */
record Tally(long rows, boolean isExact) {

    static final Tally NONE = new Tally(0, true);

    private static final Pattern ROWS = Pattern.compile("rows=([0-9]+)");

    /** @param from the table and its condition: what stands behind FROM */
    static Tally of(Connection connection, Database database, String from, int atMost) throws SQLException {
        long counted = Sql.of("SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s LIMIT ?) c".formatted(from), atMost)
                .first(connection, row -> row.getLong(1))
                .orElse(0L);
        return counted < atMost
                ? new Tally(counted, true)
                : new Tally(Math.max(counted, estimate(connection, database, from)), false);
    }

    /** TiDB plans in a form of its own. */
    private static long estimate(Connection connection, Database database, String from) throws SQLException {
        return switch (database) {
            case TIDB -> 0;
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

    Tally plus(Tally other) {
        return new Tally(rows + other.rows, isExact && other.isExact);
    }
}
