package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which lanes hold anything, and when the next row falls due: one cheap statement. */
final class HeldOverview {

    private final JdbcContext context;

    HeldOverview(JdbcContext context) {
        this.context = context;
    }

    Result read(Connection connection, DueRequest request) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql(request))) {
            bindExclusion(statement, request);
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
                         (SELECT MIN(h.next_attempt_at) FROM %3$s h
                          WHERE h.lane = l.lane AND h.blocked = FALSE AND h.next_attempt_at > %2$s%4$s) AS next_at
                  FROM %5$s l WHERE l.lane IN (%6$s)
                ) t""".formatted(
                        dialect.microsUntil("t.next_at"),
                        dialect.now(),
                        context.tables().held(),
                        exclusion(request),
                        context.tables().lane(),
                        SqlList.of("?", request.lanes().size()));
    }

    /** Passes over rows that may not come first now. */
    String exclusion(DueRequest request) {
        int excluded = request.excludedDestinations().size();
        String destinations = excluded == 0
                ? " AND h.destination IS NOT NULL"
                : " AND h.destination NOT IN (" + SqlList.of("?", excluded) + ")";
        return request.excludedPlaces().isEmpty() ? destinations : destinations + " AND (" + places(request) + ")";
    }

    private String places(DueRequest request) {
        String none = request.excludedPlaces().stream()
                .map(place -> place.error().isEmpty()
                        ? "NOT (h.destination = ? AND h.topic = ?)"
                        // What only waits behind another has no error.
                        : "NOT (h.destination = ? AND h.topic = ? AND COALESCE(h.last_error, '') = ?)")
                .collect(Collectors.joining(" AND "));
        return request.excludedUntilAge().isEmpty()
                ? none
                : "h.created_at <= " + context.dialect().nowPlusMicros() + " OR (" + none + ")";
    }

    static void bindExclusion(SqlStatement statement, DueRequest request) throws SQLException {
        statement.withTexts(request.excludedDestinations());
        if (request.excludedPlaces().isEmpty()) {
            return;
        }
        if (request.excludedUntilAge().isPresent()) {
            statement.with(request.excludedUntilAge().get().negated());
        }
        for (Place excluded : request.excludedPlaces()) {
            statement.with(excluded.destination()).with(excluded.topic());
            if (excluded.error().isPresent()) {
                statement.with(excluded.error().get());
            }
        }
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
    record Result(Set<Integer> lanesWithHeld, Optional<Duration> nextDueIn, Instant databaseTime) {}

    private record LaneRow(
            int lane, boolean hasHeld, @Nullable Long nextDueMicros, Instant databaseTime) {}
}
