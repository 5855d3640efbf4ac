package dev.postrider.service.database;

import dev.postrider.message.Lane;
import dev.postrider.store.jdbc.LikePattern;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statement for one query: straight from an index, or a filter over a window of bounded size. */
final class MessageSearch {

    private static final String LIKE = " LIKE ? ESCAPE '!'";

    private final MessageQuery query;
    private final DatabaseKind kind;
    private final Keyset keyset;
    private final Optional<String> after;
    private final Optional<Integer> lane;

    MessageSearch(MessageQuery query, DatabaseKind kind, int lanes) {
        this.query = query;
        this.kind = kind;
        this.keyset = Keyset.of(query.place(), kind);
        this.after = query.after()
                .or(() -> query.before().filter(time -> keyset.isDescending()).map(keyset::startingBefore));
        this.lane = Optional.ofNullable(query.equal().get("message_key"))
                .filter(key -> keyset.beginsWithLane())
                .map(key -> Lane.forKey(key, lanes));
    }

    MessageQuery query() {
        return query;
    }

    String positionOf(StoredMessage message) {
        return keyset.positionOf(message);
    }

    boolean isWindowed() {
        return filters().findFirst().isPresent() && !hasIndex();
    }

    private boolean hasIndex() {
        boolean byKey = query.equal().containsKey("message_key");
        boolean byId = query.id().isPresent();
        return switch (query.place()) {
            case HOT -> false;
            case HELD -> byKey;
            case DELAYED -> byId;
            case DEAD -> byKey || byId;
            case SENT -> byId && kind == DatabaseKind.POSTGRES;
        };
    }

    String sql(String columns) {
        if (!isWindowed()) {
            return "SELECT %s FROM %%s%s ORDER BY %s LIMIT %d"
                    .formatted(columns, where(Stream.concat(start(), filters())), keyset.orderBy(), query.limit() + 1);
        }
        return "SELECT * FROM (%s) looked_at%s ORDER BY %s LIMIT %d"
                .formatted(window(columns), where(filters()), keyset.orderBy(), query.limit() + 1);
    }

    String window(String columns) {
        return "SELECT %s FROM %%s%s ORDER BY %s LIMIT %d"
                .formatted(columns, where(start()), keyset.orderBy(), MessageBrowser.LOOKED_AT);
    }

    private Stream<String> start() {
        return Stream.concat(lane.map(number -> "lane = ?").stream(), after.map(position -> keyset.behind()).stream());
    }

    private Stream<String> filters() {
        return Stream.of(
                        query.equal().keySet().stream().sorted().map(column -> column + " = ?"),
                        query.id().map(id -> "id = ?").stream(),
                        query.error().map(text -> "LOWER(last_error) LIKE LOWER(?) ESCAPE '!'").stream(),
                        query.route().map(MessageSearch::leadsThere).stream(),
                        createdBefore().map(time -> "created_at < ?").stream())
                .flatMap(conditions -> conditions);
    }

    /** The first pattern that matches decides. */
    private static String leadsThere(MessageQuery.Route route) {
        return route.patterns().values().stream()
                .map(name -> "WHEN topic" + LIKE + " THEN " + (name.equals(route.destination()) ? 1 : 0))
                .collect(Collectors.joining(" ", "CASE ", " ELSE 0 END = 1"));
    }

    /** Where the list itself is in the order of time, it begins there. */
    private Optional<Instant> createdBefore() {
        return query.before().filter(time -> !keyset.isDescending());
    }

    private static String where(Stream<String> conditions) {
        String all = conditions.collect(Collectors.joining(" AND "));
        return all.isEmpty() ? "" : " WHERE " + all;
    }

    List<Object> windowValues(Connection connection) throws SQLException {
        List<Object> values = new ArrayList<>(lane.stream().toList());
        if (after.isPresent()) {
            values.addAll(keyset.bound(connection, after.get()));
        }
        return values;
    }

    List<Object> values(Connection connection) throws SQLException {
        List<Object> values = windowValues(connection);
        query.equal().keySet().stream()
                .sorted()
                .forEach(column -> values.add(query.equal().get(column)));
        if (query.id().isPresent()) {
            values.add(Columns.bound(connection, query.id().get()));
        }
        query.error().map(LikePattern::containing).ifPresent(values::add);
        query.route()
                .ifPresent(route -> route.patterns().keySet().stream()
                        .map(LikePattern::wildcard)
                        .forEach(values::add));
        if (createdBefore().isPresent()) {
            values.add(Columns.bound(connection, createdBefore().get()));
        }
        return values;
    }
}
