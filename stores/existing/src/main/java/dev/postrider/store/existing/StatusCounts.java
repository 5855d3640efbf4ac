package dev.postrider.store.existing;

import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowCount;
import dev.postrider.store.existing.Rows.Counts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Counts the rows of one table, at a price that does not grow with it.
 *
 * <p>What was tried is old, so rows that wait, or were given up in place, are looked for among the oldest; all others are counted by their status
 * alone, which an index tells.
 */
final class StatusCounts {

    private static final String T = "t";
    private static final int MOST_TRIED = 10_000;

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final StatusGraveyard graveyard;

    StatusCounts(TableColumns columns, Conditions conditions, HeadQuery heads, StatusGraveyard graveyard) {
        this.columns = columns;
        this.conditions = conditions;
        this.heads = heads;
        this.graveyard = graveyard;
    }

    Counts count(Connection connection, int atMost) throws SQLException {
        boolean isDeadInPlace = conditions.isDeadByAttempts();
        Tried tried = tried(connection, isDeadInPlace ? atMost : MOST_TRIED);
        boolean isAllSeen = tried.isAll() && conditions.untriedByStatus(T).isEmpty();
        RowCount open = isAllSeen
                ? new RowCount(tried.seen(), true)
                : tally(
                        connection,
                        columns.table(),
                        isDeadInPlace ? conditions.undelivered(T) : conditions.alive(T),
                        atMost);
        RowCount alive = isAllSeen ? new RowCount(tried.alive(), true) : isDeadInPlace ? tried.aliveAmong(open) : open;
        return new Counts(
                alive,
                tried.waiting(),
                isDeadInPlace ? tried.dead() : dead(connection, atMost),
                kept(connection, open, atMost),
                alive.rows() == 0 ? Duration.ZERO : oldestAge(connection, tried));
    }

    /**
     * Rows that were tried, or may have been.
     *
     * @param seen how many were looked at
     * @param isAll whether these are all; if not, more may wait or be dead
     * @param oldestAge of those that are alive
     */
    private record Tried(long seen, boolean isAll, long alive, long waiting, long dead, Duration oldestAge) {

        static final Tried NONE = new Tried(0, true, 0, 0, 0, Duration.ZERO);

        Tried plus(Tried other) {
            return new Tried(
                    seen + other.seen,
                    isAll && other.isAll,
                    alive + other.alive,
                    waiting + other.waiting,
                    dead + other.dead,
                    longer(oldestAge, other.oldestAge));
        }

        RowCount aliveAmong(RowCount open) {
            return new RowCount(Math.max(0, open.rows() - dead), open.isExact() && isAll);
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Tried tried(Connection connection, int atMost) throws SQLException {
        String told = "%s AS alive, %s AS waiting, %s AS dead, CASE WHEN %s THEN %s END AS age"
                .formatted(
                        isTrue(conditions.alive(T)),
                        isTrue(columns.remembersRetries() ? conditions.waiting(T) : Conditions.NEVER),
                        isTrue(conditions.isDeadByAttempts() ? conditions.dead(T) : Conditions.NEVER),
                        conditions.alive(T),
                        age().orElse("0"));
        Tried all = Tried.NONE;
        for (String oldest : oldestTried(told, atMost)) {
            String sql =
                    "SELECT COUNT(*) AS seen, COUNT(alive) AS alive, COUNT(waiting) AS waiting, COUNT(dead) AS dead,"
                            + " COALESCE(MAX(age), 0) AS age FROM (%s) t";
            all = all.plus(Sql.of(sql.formatted(oldest))
                    .first(
                            connection,
                            row -> new Tried(
                                    row.getLong("seen"),
                                    row.getLong("seen") < atMost,
                                    row.getLong("alive"),
                                    row.getLong("waiting"),
                                    row.getLong("dead"),
                                    Times.age(row, "age")))
                    .orElseThrow());
        }
        return all;
    }

    /** NULL if it is not. */
    private static String isTrue(String condition) {
        return "CASE WHEN %s THEN 1 END".formatted(condition);
    }

    /** One for each status. Where tried rows have a status of their own any of them will do: to sort them, all would be read. */
    private List<String> oldestTried(String selected, int atMost) {
        String order = hasRetryStatus() ? "" : heads.order();
        return conditions.triedByStatus(T).stream()
                .map(tried -> "SELECT %s FROM %s t WHERE %s %s LIMIT %d"
                        .formatted(selected, columns.table(), tried, order, atMost))
                .toList();
    }

    private boolean hasRetryStatus() {
        return columns.mapping().status.flatMap(StatusValues::retry).isPresent();
    }

    private long dead(Connection connection, int atMost) throws SQLException {
        return conditions.knowsDead()
                ? tally(connection, graveyard.table(), conditions.dead(T), atMost)
                        .rows()
                : 0;
    }

    /** Those that only their attempts tell are looked for where {@link #count} finds them. */
    Map<DeadReason, Long> deadByReason(Connection connection, int atMost) throws SQLException {
        String reason = columns.find(Role.LAST_ERROR)
                .map(column -> DeadText.reasonOfColumn(column.of(T)))
                .orElse(DeadText.NO_ERROR);
        if (!conditions.isDeadByAttempts()) {
            return DeadText.count(
                    connection,
                    "SELECT %s AS reason FROM %s t WHERE %s".formatted(reason, graveyard.table(), conditions.dead(T)),
                    atMost);
        }
        String found = oldestTried(
                        "CASE WHEN %s THEN %s END AS reason".formatted(conditions.dead(T), reason),
                        ExistingStore.MOST_COUNTED)
                .stream()
                .map(oldest -> "SELECT reason FROM (%s) t WHERE reason IS NOT NULL".formatted(oldest))
                .collect(Collectors.joining(" UNION ALL "));
        return DeadText.count(connection, found, atMost);
    }

    /** In the words of the table; empty where it has none. */
    Map<String, RowCount> byStatus(Connection connection, int atMost) throws SQLException {
        Map<String, RowCount> counts = new LinkedHashMap<>();
        for (String value : columns.mapping().status.map(StatusValues::all).orElse(List.of())) {
            String has = "%s = %s".formatted(columns.of(Role.STATUS).of(T), columns.status(value));
            counts.put(value, tally(connection, columns.table(), has, atMost));
        }
        return counts;
    }

    private RowCount tally(Connection connection, String table, String condition, int atMost) throws SQLException {
        return Tally.of(connection, columns.database(), "%s t WHERE %s".formatted(table, condition), atMost);
    }

    /** Where no status tells it, no index does: a large table is left to the planner, and of a small one the others are taken away. */
    private RowCount kept(Connection connection, RowCount open, int atMost) throws SQLException {
        if (conditions.delivered(T).equals(Conditions.NEVER)) {
            return RowCount.NONE;
        }
        String table = columns.mapping()
                .deliveredTable
                .map(path -> path.sql(columns.database()))
                .orElse(columns.table());
        boolean isIndexed = columns.mapping().deliveredTable.isPresent()
                || columns.mapping().status.isPresent();
        if (isIndexed) {
            return tally(connection, table, conditions.delivered(T), atMost);
        }
        RowCount all = tally(connection, table, "1 = 1", atMost);
        return all.isExact()
                ? new RowCount(Math.max(0, all.rows() - open.rows()), true)
                : Tally.estimate(
                        connection, columns.database(), "%s t WHERE %s".formatted(table, conditions.delivered(T)));
    }

    /** Of the first row of each status, by the order in which rows are fetched: by their time alone all would be read. */
    private Duration oldestAge(Connection connection, Tried tried) throws SQLException {
        Duration oldest = tried.oldestAge();
        boolean isUnknown = !tried.isAll() && (oldest.isZero() || hasRetryStatus());
        for (String alive : isUnknown ? conditions.aliveByStatus(T) : conditions.untriedByStatus(T)) {
            oldest = longer(oldest, firstAge(connection, alive, heads.order()).orElse(Duration.ZERO));
        }
        return oldest;
    }

    /** How long ago the newest undelivered row was written, by its own time; negative if that lies ahead. */
    Optional<Duration> newestAge(Connection connection) throws SQLException {
        String last = heads.order().replace(",", " DESC,") + " DESC";
        return firstAge(connection, conditions.alive(T), last);
    }

    private Optional<Duration> firstAge(Connection connection, String condition, String order) throws SQLException {
        return age().isEmpty()
                ? Optional.empty()
                : Sql.of("SELECT %s AS age FROM %s t WHERE %s %s LIMIT 1"
                                .formatted(age().get(), columns.table(), condition, order))
                        .first(connection, row -> Times.span(row, "age"));
    }

    private Optional<String> age() {
        return columns.find(Role.CREATED).map(column -> column.ageInMicros(column.of(T)));
    }
}
