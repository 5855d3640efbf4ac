package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A table to which rows are moved: checked when the store is opened, since a move that fails would be repeated for ever.
 *
 * @param columns what a row takes along
 * @param problems why it cannot be used
 */
record MoveTarget(List<String> columns, List<String> problems) {

    static final MoveTarget NONE = new MoveTarget(List.of(), List.of());

    /** A text of MySQL; whoever declares one does not mean that rows fill it. */
    private static final int UNLIMITED = 65_535;

    /**
     * Compares the columns of both tables, and lets the database judge an insert of no row.
     *
     * @param needed columns that must not get lost, each with where that is said
     */
    static MoveTarget check(
            Connection connection, Catalog catalog, TablePath from, TablePath to, Map<String, String> needed)
            throws SQLException {
        Map<String, Column> source = catalog.columns(connection, from);
        Map<String, Column> target = catalog.columns(connection, to);
        if (target.isEmpty()) {
            return new MoveTarget(List.of(), List.of("there is no table %s to move rows to".formatted(to)));
        }
        List<String> common = target.values().stream()
                .filter(column -> !column.isGenerated() && source.containsKey(column.name()))
                .map(Column::name)
                .toList();
        List<String> problems = new ArrayList<>();
        needed.forEach((name, use) -> {
            if (!target.containsKey(name)) {
                problems.add("table %s, to which rows are moved, lacks column %s, %s".formatted(to, name, use));
            }
        });
        target.values().forEach(column -> {
            Column own = source.get(column.name());
            if (own == null && isRequired(column)) {
                problems.add(
                        "column %s of table %s, to which rows are moved, needs a value, but table %s has none for it"
                                .formatted(column.name(), to, from));
            } else if (own != null && isShorter(column, own)) {
                problems.add(
                        "column %s of table %s, to which rows are moved, holds %d characters, but that of table %s %d"
                                .formatted(column.name(), to, column.maxLength(), from, own.maxLength()));
            }
        });
        if (problems.isEmpty()) {
            catalog.refusalToMove(connection, from, to, common).ifPresent(problems::add);
        }
        return new MoveTarget(common, problems);
    }

    private static boolean isRequired(Column column) {
        return !column.isNullable() && !column.isFilled() && !column.isGenerated();
    }

    private static boolean isShorter(Column column, Column own) {
        return column.kind() == ColumnKind.TEXT
                && own.kind() == ColumnKind.TEXT
                && own.maxLength() < UNLIMITED
                && column.maxLength() < own.maxLength();
    }
}
