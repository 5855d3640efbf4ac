package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages.DueRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which lanes hold anything, and when the next row falls due: one cheap statement. */
final class HeldOverview {

    private final JdbcContext context;

    HeldOverview(JdbcContext context) {
        this.context = context;
    }

    Result read(Connection connection, DueRequest request) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql(request))) {
            if (!byPlace(request)) {
                bindDestinations(statement, request);
            }
            List<LaneRow> rows = statement
                    .withInts(request.lanes())
                    .list(row -> new LaneRow(
                            row.getInt("lane"),
                            row.getInt("has_held") == 1,
                            row.getObject("next_due") == null ? null : row.getLong("next_due"),
                            context.dialect().getInstant(row, row.findColumn("database_time"))));
            return result(rows);
        }
    }

    /** Starts from the lane table, so that each lane costs two index probes, however many rows it holds. */
    private String sql(DueRequest request) {
        Dialect dialect = context.dialect();
        return """
                SELECT t.lane, t.has_held, %1$s AS next_due, %2$s AS database_time
                FROM (
                  SELECT l.lane,
                         CASE WHEN EXISTS (SELECT 1 FROM %3$s e WHERE e.lane = l.lane) THEN 1 ELSE 0 END AS has_held,
                         %4$s AS next_at
                  FROM %5$s l WHERE l.lane IN (%6$s)
                ) t""".formatted(
                        dialect.microsUntil("t.next_at"),
                        dialect.now(),
                        context.tables().held(),
                        byPlace(request) ? "CASE WHEN 1 = 0 THEN " + dialect.now() + " END" : nextAt(request),
                        context.tables().lane(),
                        SqlList.of("?", request.lanes().size()));
    }

    /** While a place is closed, {@link HeldPlaces} tell when rows of the others fall due. */
    static boolean byPlace(DueRequest request) {
        return !request.excludedPlaces().isEmpty();
    }

    private String nextAt(DueRequest request) {
        return "(SELECT MIN(h.next_attempt_at) FROM %s h WHERE h.lane = l.lane AND h.blocked = FALSE AND h.next_attempt_at > %s%s)"
                .formatted(context.tables().held(), context.dialect().now(), destinationCondition(request));
    }

    static String destinationCondition(DueRequest request) {
        int excluded = request.excludedDestinations().size();
        return excluded == 0
                ? " AND h.destination IS NOT NULL"
                : " AND h.destination NOT IN (" + SqlList.of("?", excluded) + ")";
    }

    static void bindDestinations(SqlStatement statement, DueRequest request) throws SQLException {
        statement.withTexts(request.excludedDestinations());
    }

    private static Result result(List<LaneRow> rows) {
        Set<Integer> withHeld = new HashSet<>();
        rows.stream().filter(LaneRow::hasHeld).forEach(row -> withHeld.add(row.lane()));
        Optional<Duration> next = rows.stream()
                .map(LaneRow::nextDueMicros)
                .filter(micros -> micros != null)
                .min(Long::compare)
                .map(micros -> Micros.toDuration(Math.max(1, micros)));
        Instant time = rows.stream().map(LaneRow::databaseTime).findFirst().orElseThrow();
        return new Result(withHeld, next, time);
    }

    /** The lanes with held rows, and how long until the next row falls due that is not due yet. */
    record Result(Set<Integer> lanesWithHeld, Optional<Duration> nextDueIn, Instant databaseTime) {

        Result with(Optional<Duration> next) {
            return new Result(lanesWithHeld, next, databaseTime);
        }
    }

    private record LaneRow(
            int lane, boolean hasHeld, @Nullable Long nextDueMicros, Instant databaseTime) {}
}
