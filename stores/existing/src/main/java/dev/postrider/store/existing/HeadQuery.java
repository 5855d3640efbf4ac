package dev.postrider.store.existing;

import dev.postrider.store.existing.Head.Texts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads of each row what is small: all but payload and headers, whose length must be known first. */
final class HeadQuery {

    private static final String T = "t";

    private final TableColumns columns;
    private final Conditions conditions;

    HeadQuery(TableColumns columns, Conditions conditions) {
        this.columns = columns;
        this.conditions = conditions;
    }

    /** All that is small, and the age of the row by the database's clock. */
    String select(String table, String more) {
        return selectOf(table, ", %s AS row_bytes%s".formatted(bytes(), more));
    }

    /** The same with the large columns themselves instead of their length, for rows whose length is known. */
    String selectWhole(String table) {
        return selectOf(table, ", 0 AS row_bytes, " + largeColumns());
    }

    /** What {@link MessageMaker#body} reads. */
    String largeColumns() {
        return "%s AS payload%s"
                .formatted(
                        columns.payload().readable(T),
                        columns.find(Role.HEADERS)
                                .map(column -> ", %s AS headers".formatted(column.readable(T)))
                                .orElse(""));
    }

    private String selectOf(String table, String more) {
        List<String> parts = new ArrayList<>();
        parts.add(columns.id().of(T) + " AS row_key");
        columns.find(Role.MESSAGE_ID).ifPresent(column -> parts.add(column.of(T) + " AS message_id"));
        columns.find(Role.KEY).ifPresent(column -> parts.add(asText(column) + " AS message_key"));
        columns.find(Role.AGGREGATE_TYPE).ifPresent(column -> parts.add(column.of(T) + " AS " + Texts.AGGREGATE_TYPE));
        parts.add(columns.sql(columns.mapping().type, T) + " AS " + Texts.TYPE);
        parts.add(columns.sql(columns.topic(), T) + " AS " + Texts.TOPIC);
        columns.mapping().contentType.ifPresent(text -> parts.add(columns.sql(text, T) + " AS " + Texts.CONTENT_TYPE));
        parts.add(conditions.attempts(T) + " AS attempts");
        parts.add(columns.find(Role.CREATED)
                        .map(column -> column.ageInMicros(column.of(T)))
                        .orElse("0")
                + " AS age");
        parts.add((columns.database().isPostgres()
                        ? "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS bigint)"
                        : "CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)")
                + " AS database_time");
        return "SELECT %s%s FROM %s t".formatted(String.join(", ", parts), more, table);
    }

    /** How many bytes the large columns have. */
    String bytes() {
        return "COALESCE(%s, 0)%s"
                .formatted(
                        columns.payload().length(T),
                        columns.find(Role.HEADERS)
                                .map(column -> " + COALESCE(%s, 0)".formatted(column.length(T)))
                                .orElse(""));
    }

    Head head(ResultSet row) throws SQLException {
        RowKey key = key(row, "row_key");
        Map<String, String> texts = new HashMap<>();
        put(texts, row, Texts.TOPIC);
        put(texts, row, Texts.TYPE);
        if (columns.has(Role.AGGREGATE_TYPE)) {
            put(texts, row, Texts.AGGREGATE_TYPE);
        }
        if (columns.mapping().contentType.isPresent()) {
            put(texts, row, Texts.CONTENT_TYPE);
        }
        Optional<RowKey> id = messageId(row);
        Instant now = Times.of(row, "database_time");
        return new Head(
                key,
                Head.idOf(() -> (id.isEmpty() ? key : id.get()).messageId(columns.origin()), key, texts),
                columns.has(Role.KEY) ? Optional.ofNullable(row.getString("message_key")) : Optional.empty(),
                row.getInt("attempts"),
                now.minus(Times.span(row, "age")),
                now,
                texts,
                row.getLong("row_bytes"));
    }

    /** The id that stands in a column of its own, if there is one. */
    private Optional<RowKey> messageId(ResultSet row) throws SQLException {
        if (!columns.has(Role.MESSAGE_ID) || row.getObject("message_id") == null) {
            return Optional.empty();
        }
        return Optional.of(RowKey.read(
                        row, "message_id", columns.of(Role.MESSAGE_ID).kind()))
                .filter(id -> !id.text().isEmpty());
    }

    static void put(Map<String, String> texts, ResultSet row, String name) throws SQLException {
        String text = row.getString(name);
        if (text != null) {
            texts.put(name, text);
        }
    }

    RowKey key(ResultSet row, String label) throws SQLException {
        return RowKey.read(row, label, columns.id().kind());
    }

    /** The order in which rows are delivered. */
    String order() {
        return "ORDER BY "
                + columns.mapping().order().stream()
                        .map(name -> columns.named(name).of(T))
                        .collect(Collectors.joining(", "));
    }

    /** The columns of that order, under names of their own. */
    String orderColumns() {
        return IntStream.range(0, columns.mapping().order().size())
                .mapToObj(index -> "%s AS order_%d"
                        .formatted(
                                columns.named(columns.mapping().order().get(index))
                                        .of(T),
                                index))
                .collect(Collectors.joining(", "));
    }

    /** The order of rows that were read with {@link #orderColumns}. */
    String orderOf(String alias) {
        return IntStream.range(0, columns.mapping().order().size())
                .mapToObj(index -> alias + ".order_" + index)
                .collect(Collectors.joining(", ", "ORDER BY ", ""));
    }

    /** The topic, to be compared by its bytes. */
    String exactTopic() {
        return columns.database().exact(columns.sql(columns.topic(), T));
    }

    /** A column of any type that is read as a text. */
    String asText(Column column) {
        return "CAST(%s AS %s)".formatted(column.of(T), columns.database().isPostgres() ? "text" : "CHAR");
    }
}
