package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables between which rows move; all but the first may be missing. */
record MovePaths(
        TablePath pending, Optional<TablePath> waiting, Optional<TablePath> parkingLot, Optional<TablePath> completed) {

    static final String RETRIES = "retry_count";

    /** Those that there are. */
    List<TablePath> all() {
        return Stream.of(Optional.of(pending), waiting, parkingLot, completed)
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Compares the tables with what they must be; returns the columns of pending rows. They have a count of attempts where failed ones
     * wait in a table of their own.
     *
     * @throws MappingException if a table or a column is missing, or of another type
     */
    Map<String, Column> check(Connection connection, Database database) throws SQLException {
        Checked checked = new Checked(connection, new Catalog(database, true));
        Map<String, Column> rows = checked.columns(pending, "");
        if (waiting.isPresent()) {
            checked.require(waiting.get(), without("wait-table", "withoutWaitTable"), List.of(RETRIES, "retry_time"));
        }
        if (parkingLot.isPresent()) {
            checked.require(
                    parkingLot.get(),
                    without("parking-table", "withoutParkingTable"),
                    List.of(RETRIES, "reason", "park_time"));
        }
        if (completed.isPresent()) {
            checked.require(completed.get(), "", List.of("sent_time"));
        }
        boolean countsRetries = waiting.isPresent() || rows.containsKey(RETRIES);
        checked.require(pending, "", countsRetries ? List.of(RETRIES) : List.of());
        return rows;
    }

    /** What to say where the outbox has no such table. */
    static String without(String key, String method) {
        return ". If this outbox has none, say '%s: none', or %s() in Java".formatted(key, method);
    }

    /** One look at the catalogue. */
    private record Checked(Connection connection, Catalog catalog) {

        Map<String, Column> columns(TablePath table, String advice) throws SQLException {
            return catalog.existing(connection, table, advice);
        }

        void require(TablePath table, String advice, List<String> own) throws SQLException {
            Map<String, Column> columns = columns(table, advice);
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
    }

    private static boolean isAsExpected(Column column) {
        return switch (column.name()) {
            case "id", "data" -> column.kind() == ColumnKind.BYTES;
            case RETRIES -> column.kind() == ColumnKind.NUMBER;
            case "metadata" -> column.kind() == ColumnKind.JSON || column.kind() == ColumnKind.TEXT;
            case "reason" -> column.kind() == ColumnKind.TEXT;
            default -> column.kind() == ColumnKind.LOCAL_TIME;
        };
    }
}
