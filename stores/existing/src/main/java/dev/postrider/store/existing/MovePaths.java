package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables between which rows move. */
record MovePaths(TablePath pending, TablePath waiting, TablePath parkingLot, Optional<TablePath> completed) {

    /** @throws MappingException if a table or a column is missing, or of another type */
    void check(Connection connection, Database database) throws SQLException {
        check(connection, database, pending, List.of("retry_count"));
        check(connection, database, waiting, List.of("retry_count", "retry_time"));
        check(connection, database, parkingLot, List.of("retry_count", "reason", "park_time"));
        if (completed.isPresent()) {
            check(connection, database, completed.get(), List.of("sent_time"));
        }
    }

    private static void check(Connection connection, Database database, TablePath table, List<String> own)
            throws SQLException {
        Map<String, Column> columns = new Catalog(database, true).columns(connection, table);
        List<String> needed = new ArrayList<>(List.of("id", "metadata", "data", "create_time"));
        needed.addAll(own);
        List<String> problems = new ArrayList<>();
        for (String name : needed) {
            Column column = columns.get(name);
            if (column == null) {
                problems.add("column %s is missing".formatted(name));
            } else if (!isAsExpected(column)) {
                problems.add("column %s is of type %s".formatted(name, column.type()));
            }
        }
        if (!problems.isEmpty()) {
            throw new MappingException(table, problems);
        }
    }

    private static boolean isAsExpected(Column column) {
        return switch (column.name()) {
            case "id", "data" -> column.kind() == ColumnKind.BYTES;
            case "retry_count" -> column.kind() == ColumnKind.NUMBER;
            case "metadata" -> column.kind() == ColumnKind.JSON || column.kind() == ColumnKind.TEXT;
            case "reason" -> column.kind() == ColumnKind.TEXT;
            default -> column.kind() == ColumnKind.LOCAL_TIME;
        };
    }
}
