package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.Place;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which topics at a destination have held rows. Steps from one to the next in an index, so that each costs the same however many rows
 * wait for it: a closed topic with a long backlog is passed over in one step.
 *
 * <p>Three cases still read waiting rows one by one: a place that is not a whole topic, whose rows are known by their error; a limit in age
 * after which rows no longer wait; and more topics than a look may step through.
 */
final class HeldPlaces {

    /** A relay that stepped through thousands of topics would not come to renew its leases. */
    private static final int MAX_STEPS = 50;

    private static final int TOPICS_PER_STATEMENT = 50;
    private static final int PARAMETERS_PER_STATEMENT = 5_000;

    private final JdbcContext context;
    private final String held;

    HeldPlaces(JdbcContext context) {
        this.context = context;
        this.held = context.tables().held() + " h" + context.dialect().indexHint(context.tables(), "_held_by_place");
    }

    /** A topic at a destination, in one lane. */
    private record HeldTopic(int lane, String destination, String topic) {

        boolean isAt(Place place) {
            return destination.equals(place.destination()) && topic.equals(place.topic());
        }
    }

    /**
     * A topic with rows that may be sent.
     *
     * @param isClosed whether all its rows wait, but for those that are too old to
     * @param closedErrors rows that were held with one of these wait too
     * @param waitsUntilAge older rows do not wait
     */
    record OpenPlace(
            int lane,
            String destination,
            String topic,
            boolean isClosed,
            List<String> closedErrors,
            Optional<Duration> waitsUntilAge) {

        private static OpenPlace of(HeldTopic held, DueRequest request) {
            List<Place> closed =
                    request.excludedPlaces().stream().filter(held::isAt).toList();
            return new OpenPlace(
                    held.lane,
                    held.destination,
                    held.topic,
                    closed.stream().anyMatch(place -> place.error().isEmpty()),
                    closed.stream().flatMap(place -> place.error().stream()).toList(),
                    request.excludedUntilAge());
        }

        private boolean hasNothingToSend(DueRequest request) {
            return request.excludedDestinations().contains(destination) || (isClosed && waitsUntilAge.isEmpty());
        }

        private String condition(Dialect dialect) {
            if (!isClosed && closedErrors.isEmpty()) {
                return "";
            }
            String flows = isClosed
                    ? "1 = 0"
                    : "COALESCE(h.last_error, '') NOT IN (%s)".formatted(SqlList.of("?", closedErrors.size()));
            return waitsUntilAge.isEmpty()
                    ? " AND " + flows
                    : " AND (h.created_at <= %s OR %s)".formatted(dialect.nowPlusMicros(), flows);
        }

        private void bind(SqlStatement statement) throws SQLException {
            statement.with(lane).with(destination).with(topic);
            if (!isClosed && closedErrors.isEmpty()) {
                return;
            }
            if (waitsUntilAge.isPresent()) {
                statement.with(waitsUntilAge.get().negated());
            }
            if (!isClosed) {
                statement.withTexts(closedErrors);
            }
        }
    }

    /** Those that the request does not exclude, in no order, so that none is always served first; empty if there are too many topics. */
    Optional<List<OpenPlace>> read(Connection connection, DueRequest request) throws SQLException {
        List<OpenPlace> open = new ArrayList<>();
        List<HeldTopic> reached = request.lanes().stream()
                .map(lane -> new HeldTopic(lane, "", ""))
                .toList();
        for (int step = 0; !reached.isEmpty(); step++) {
            if (step == MAX_STEPS) {
                return Optional.empty();
            }
            reached = next(connection, reached);
            reached.stream()
                    .map(topic -> OpenPlace.of(topic, request))
                    .filter(place -> !place.hasNothingToSend(request))
                    .forEach(open::add);
        }
        Collections.shuffle(open);
        return Optional.of(open);
    }

    /** Passes over rows of closed places one by one: for outboxes with too many topics to step through. To follow another condition. */
    String exclusion(DueRequest request) {
        if (request.excludedPlaces().isEmpty()) {
            return "";
        }
        String flows = request.excludedPlaces().stream()
                .map(place -> place.error().isEmpty()
                        ? "NOT (h.destination = ? AND h.topic = ?)"
                        // What only waits behind another has no error.
                        : "NOT (h.destination = ? AND h.topic = ? AND COALESCE(h.last_error, '') = ?)")
                .collect(Collectors.joining(" AND "));
        return request.excludedUntilAge().isEmpty()
                ? " AND " + flows
                : " AND (h.created_at <= %s OR (%s))"
                        .formatted(context.dialect().nowPlusMicros(), flows);
    }

    static void bindExclusion(SqlStatement statement, DueRequest request) throws SQLException {
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

    /** For each topic the next one of its lane, if there is any. Two ranges of the index: no server reads them as one. */
    private List<HeldTopic> next(Connection connection, List<HeldTopic> topics) throws SQLException {
        String step = "(SELECT h.lane, h.destination, h.topic FROM %s WHERE h.lane = ? AND %s LIMIT 1)";
        String either = step.formatted(held, "h.destination = ? AND h.topic > ? ORDER BY h.topic")
                + " UNION ALL "
                + step.formatted(held, "h.destination > ? ORDER BY h.destination, h.topic");
        Map<Integer, HeldTopic> next = new HashMap<>();
        for (List<HeldTopic> chunk : SqlList.chunks(topics, TOPICS_PER_STATEMENT)) {
            String all = String.join(" UNION ALL ", Collections.nCopies(chunk.size(), either));
            try (SqlStatement statement = context.prepare(connection, all)) {
                for (HeldTopic from : chunk) {
                    statement.with(from.lane()).with(from.destination()).with(from.topic());
                    statement.with(from.lane()).with(from.destination());
                }
                // The topics of a destination come before the next destination.
                statement.list(HeldPlaces::topic).forEach(topic -> next.putIfAbsent(topic.lane(), topic));
            }
        }
        return List.copyOf(next.values());
    }

    private static HeldTopic topic(ResultSet row) throws SQLException {
        return new HeldTopic(row.getInt("lane"), row.getString("destination"), row.getString("topic"));
    }

    /** How long until a row of these places falls due that is not due yet. */
    Optional<Duration> nextDueIn(Connection connection, List<OpenPlace> places) throws SQLException {
        Dialect dialect = context.dialect();
        List<Long> micros = new ArrayList<>();
        for (List<OpenPlace> chunk : chunks(places)) {
            String sql = chunk.stream()
                    .map(place -> """
                            (SELECT %s AS next_due FROM %s
                             WHERE h.lane = ? AND h.destination = ? AND h.topic = ?%s AND h.next_attempt_at > %s AND h.blocked = FALSE
                             ORDER BY h.next_attempt_at LIMIT 1)""".formatted(
                            dialect.microsUntil("h.next_attempt_at"), held, place.condition(dialect), dialect.now()))
                    .collect(Collectors.joining(" UNION ALL "));
            try (SqlStatement statement = context.prepare(connection, sql)) {
                for (OpenPlace place : chunk) {
                    place.bind(statement);
                }
                micros.addAll(statement.list(row -> row.getLong("next_due")));
            }
        }
        return micros.stream().min(Comparator.naturalOrder()).map(next -> Micros.toDuration(Math.max(1, next)));
    }

    /**
     * What to read of due rows.
     *
     * @param columns what to select of the table {@code h}
     * @param condition to follow others
     * @param limit stop once this many rows are found, of one place or of several
     */
    record DueColumns<T>(String columns, String condition, long limit, RowMapper<T> mapper) {}

    /** Due rows of these places. */
    <T> List<T> due(Connection connection, List<OpenPlace> places, DueColumns<T> wanted) throws SQLException {
        Dialect dialect = context.dialect();
        List<T> rows = new ArrayList<>();
        for (List<OpenPlace> chunk : chunks(places)) {
            String sql = chunk.stream()
                    .map(place -> """
                            (SELECT %s FROM %s
                             WHERE h.lane = ? AND h.destination = ? AND h.topic = ?%s AND h.next_attempt_at <= %s AND h.blocked = FALSE%s
                             ORDER BY h.next_attempt_at LIMIT ?)""".formatted(
                                    wanted.columns, held, place.condition(dialect), dialect.now(), wanted.condition))
                    .collect(Collectors.joining(" UNION ALL "));
            try (SqlStatement statement = context.prepare(connection, sql)) {
                for (OpenPlace place : chunk) {
                    place.bind(statement);
                    statement.with(wanted.limit);
                }
                rows.addAll(statement.list(wanted.mapper));
            }
            if (rows.size() >= wanted.limit) {
                break;
            }
        }
        return rows;
    }

    /** Keeps each statement below the number of parameters that databases allow. */
    private static List<List<OpenPlace>> chunks(List<OpenPlace> places) {
        int errors = places.stream()
                .mapToInt(place -> place.closedErrors().size())
                .max()
                .orElse(0);
        int size = Math.max(1, Math.min(TOPICS_PER_STATEMENT, PARAMETERS_PER_STATEMENT / (5 + errors)));
        return SqlList.chunks(places, size);
    }
}
