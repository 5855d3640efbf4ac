package dev.postrider.service.database;

import dev.postrider.message.MessageId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The order in which one table is paged, chosen so that the database has an index for it, and the condition by which a page goes on behind
 * the one before.
 */
record Keyset(List<String> columns, boolean isDescending, boolean comparesRows) {

    private static final String SEPARATOR = "|";

    /** For a table of this database. */
    static Keyset of(Place place, DatabaseKind kind) {
        boolean isPostgres = kind == DatabaseKind.POSTGRES;
        List<String> columns = switch (place) {
            case HOT -> isPostgres ? List.of("lane", "seq") : List.of("seq");
            case HELD -> kind == DatabaseKind.H2 ? List.of("seq", "lane") : List.of("lane", "seq");
            case DELAYED -> List.of("lane", "due_at", "id");
            case DEAD -> List.of("died_at", "lane", "seq");
            case SENT -> List.of("delivered_at", "lane", "seq");
        };
        return new Keyset(columns, place.isNewestFirst(), isPostgres);
    }

    boolean beginsWithLane() {
        return columns.get(0).equals("lane");
    }

    String orderBy() {
        return columns.stream()
                .map(column -> isDescending ? column + " DESC" : column)
                .collect(Collectors.joining(", "));
    }

    /** What comes behind a position. Only PostgreSQL finds the place of a comparison of rows in an index. */
    String behind() {
        String comparison = isDescending ? "<" : ">";
        if (comparesRows) {
            String marks = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
            return "(%s) %s (%s)".formatted(String.join(", ", columns), comparison, marks);
        }
        return columns.size() == 1
                ? columns.get(0) + " " + comparison + " ?"
                : "%s %s= ? AND %s".formatted(columns.get(0), comparison, stepwise(0, comparison));
    }

    private String stepwise(int from, String comparison) {
        String first = columns.get(from) + " " + comparison + " ?";
        return from == columns.size() - 1
                ? first
                : "(%s OR (%s = ? AND %s))".formatted(first, columns.get(from), stepwise(from + 1, comparison));
    }

    /** The values for {@link #behind}, in the order of its marks. */
    List<Object> bound(Connection connection, String position) throws SQLException {
        List<Object> values = values(connection, position);
        if (comparesRows || columns.size() == 1) {
            return values;
        }
        List<Object> bound = new ArrayList<>(List.of(values.get(0)));
        for (int column = 0; column < values.size(); column++) {
            bound.add(values.get(column));
            if (column < values.size() - 1) {
                bound.add(values.get(column));
            }
        }
        return bound;
    }

    private List<Object> values(Connection connection, String position) throws SQLException {
        List<String> texts = decode(position);
        List<Object> values = new ArrayList<>();
        try {
            for (int column = 0; column < columns.size(); column++) {
                values.add(value(connection, columns.get(column), texts.get(column)));
            }
            return values;
        } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException("'after' is no position of this list; begin again without it", wrong);
        }
    }

    private static Object value(Connection connection, String column, String text) throws SQLException {
        if (column.equals("id")) {
            return Columns.bound(connection, MessageId.of(text));
        }
        return column.endsWith("_at") ? Columns.bound(connection, Instant.parse(text)) : Long.valueOf(text);
    }

    private static List<String> decode(String position) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(position), StandardCharsets.UTF_8);
            return List.of(text.split("\\" + SEPARATOR, -1));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("'after' is no position of this list; begin again without it", wrong);
        }
    }

    /** A position as it stands in an address. */
    static String encode(List<?> values) {
        String text = values.stream().map(Object::toString).collect(Collectors.joining(SEPARATOR));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Before every message of that moment: where a list that begins there begins. */
    String startingBefore(Instant moment) {
        return encode(List.of(moment, -1, -1));
    }

    /** Where this message is in the list. */
    String positionOf(StoredMessage message) {
        return encode(columns.stream()
                .map(column -> switch (column) {
                    case "lane" -> message.lane();
                    case "seq" -> message.seq();
                    case "id" -> message.id().toUuid();
                    default -> message.time(column).orElseThrow();
                })
                .toList());
    }
}
