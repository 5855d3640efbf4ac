package dev.postrider.store.existing;

import dev.postrider.message.InvalidMessageException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What a row that is inserted has in which column. Not thread-safe. */
final class NewRow {

    /** An expression, or a placeholder and its value. */
    private record Cell(String sql, List<Object> parameter) {}

    private final Map<String, Cell> cells = new LinkedHashMap<>();

    void put(Column column, String field, Object value) {
        Cell cell = new Cell(placeholder(column), List.of(value));
        Cell known = cells.putIfAbsent(column.sql(), cell);
        if (known != null && !known.equals(cell)) {
            throw new InvalidMessageException(
                    field,
                    "is '%s', but column %s holds '%s' already; give both the same value"
                            .formatted(value, column.name(), known.parameter().get(0)));
        }
    }

    void putText(Column column, String field, String text) {
        if (column.kind() == ColumnKind.NUMBER && !text.matches("-?[0-9]{1,18}")) {
            throw new InvalidMessageException(
                    field, "is '%s', but column %s holds numbers only".formatted(text, column.name()));
        }
        put(column, field, fitting(column, field, text));
    }

    /** A server that is not strict would cut it off. */
    static String fitting(Column column, String field, String text) {
        if (column.kind() == ColumnKind.TEXT
                && column.maxLength() > 0
                && text.codePointCount(0, text.length()) > column.maxLength()) {
            throw new InvalidMessageException(
                    field,
                    "has %d characters, but column %s holds %d"
                            .formatted(text.codePointCount(0, text.length()), column.name(), column.maxLength()));
        }
        return text;
    }

    void putSql(Column column, String expression) {
        cells.put(column.sql(), new Cell(expression, List.of()));
    }

    private static String placeholder(Column column) {
        return column.database().isPostgres() && column.kind() != ColumnKind.BYTES && column.kind() != ColumnKind.TEXT
                ? "CAST(? AS %s)".formatted(column.type())
                : "?";
    }

    /** One statement for all; where a row has nothing for a column of another, it gets the column's default. */
    static Sql insertion(String table, List<NewRow> rows) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.addAll(row.cells.keySet()));
        Sql insertion = Sql.of("INSERT INTO %s (%s) VALUES".formatted(table, String.join(", ", names)));
        String separator = "";
        for (NewRow row : rows) {
            List<Cell> values = names.stream()
                    .map(name -> row.cells.getOrDefault(name, new Cell("DEFAULT", List.of())))
                    .toList();
            insertion.add(
                    separator + values.stream().map(Cell::sql).collect(Collectors.joining(", ", "(", ")")),
                    values.stream()
                            .flatMap(cell -> cell.parameter().stream())
                            .map(Objects::requireNonNull)
                            .toArray());
            separator = ", ";
        }
        return insertion;
    }
}
