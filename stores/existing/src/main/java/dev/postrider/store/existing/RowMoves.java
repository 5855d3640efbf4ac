package dev.postrider.store.existing;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Moves rows between a table and its tables for delivered, given-up and archived ones, and deletes old ones.
 *
 * <p>Every move is INSERT … SELECT and DELETE by the same keys in one transaction: a crash in between undoes both.
 */
final class RowMoves {

    private final TableColumns columns;
    private final Conditions conditions;
    private final Optional<TablePath> archive;

    RowMoves(TableColumns columns, Conditions conditions, Optional<TablePath> archive) {
        this.columns = columns;
        this.conditions = conditions;
        this.archive = archive;
    }

    void toDelivered(Connection connection, List<Object> keys) throws SQLException {
        String target = sql(columns.mapping().deliveredTable.orElseThrow());
        String values = columns.delivered().stream()
                .map(name -> isRole(Role.DELIVERED, name)
                        ? columns.of(Role.DELIVERED).now()
                        : quoted(name))
                .collect(Collectors.joining(", "));
        copying(columns.table(), target, names(columns.delivered()), values)
                .addList(keys)
                .update(connection);
        delete(connection, columns.table(), keys);
    }

    void toDead(Connection connection, List<Object> keys) throws SQLException {
        move(connection, columns.table(), sql(columns.mapping().deadTable.orElseThrow()), columns.dead(), keys);
    }

    void fromDead(Connection connection, List<Object> keys) throws SQLException {
        move(connection, sql(columns.mapping().deadTable.orElseThrow()), columns.table(), columns.dead(), keys);
    }

    private void move(Connection connection, String from, String to, List<String> names, List<Object> keys)
            throws SQLException {
        copying(from, to, names(names), names(names)).addList(keys).update(connection);
        delete(connection, from, keys);
    }

    /** To be followed by the keys of the rows. */
    private Sql copying(String from, String to, String names, String values) {
        return Sql.of("INSERT INTO %s (%s)%s SELECT %s FROM %s WHERE %s IN"
                .formatted(
                        to,
                        names,
                        columns.database().overriding(),
                        values,
                        from,
                        columns.id().sql()));
    }

    private void delete(Connection connection, String table, List<Object> keys) throws SQLException {
        String delete = table.equals(columns.table()) ? columns.deleteById() : "DELETE FROM " + table;
        Sql.of("%s WHERE %s IN".formatted(delete, columns.id().sql()))
                .addList(keys)
                .update(connection);
    }

    /** Old delivered rows go to the archive, where there is one. Rows without a time of delivery are judged by when they were written. */
    int deleteDelivered(Connection connection, long ageMicros, int limit) throws SQLException {
        Optional<Column> time = columns.find(Role.DELIVERED).or(() -> columns.find(Role.CREATED));
        if (time.isEmpty()) {
            return 0;
        }
        String table = columns.mapping().deliveredTable.map(this::sql).orElse(columns.table());
        return delete(connection, new OldRows(table, conditions.delivered("t"), time.get(), archive), ageMicros, limit);
    }

    /**
     * Goes by the time at which a row was given up: by when it was written, one that died a moment ago would go at once.
     *
     * @throws StoreException if no column tells that time
     */
    int deleteDead(Connection connection, long ageMicros, int limit) throws SQLException {
        if (!conditions.knowsDead()) {
            return 0;
        }
        Column time = columns.deadSince()
                .orElseThrow(() -> new StoreException(
                        "%s has no column that says when a row was given up, so none is deleted for its age. Map 'last-attempt' or 'next-attempt', or discard such rows with 'dead discard'"
                                .formatted(columns.mapping().table)));
        String table = columns.mapping().deadTable.map(this::sql).orElse(columns.table());
        return delete(connection, new OldRows(table, conditions.dead("t"), time, Optional.empty()), ageMicros, limit);
    }

    /** Rows of a table that are judged by this time; {@code keepIn} gets a copy of them. */
    private record OldRows(String table, String condition, Column time, Optional<TablePath> keepIn) {}

    private int delete(Connection connection, OldRows old, long ageMicros, int limit) throws SQLException {
        String lock = columns.database() == Database.TIDB ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED";
        // Locked, so that the archive gets exactly what is deleted, and passing over what others delete at the same
        // time.
        List<Object> keys = Sql.of(
                        "SELECT %s AS row_key FROM %s t WHERE %s AND %s <= %s ORDER BY %s LIMIT ? %s"
                                .formatted(
                                        columns.id().of("t"),
                                        old.table,
                                        old.condition,
                                        old.time.of("t"),
                                        old.time.nowPlusMicros(),
                                        columns.id().of("t"),
                                        lock),
                        -ageMicros,
                        limit)
                .list(
                        connection,
                        row -> RowKey.read(row, "row_key", columns.id().kind()).parameter());
        for (int from = 0; from < keys.size(); from += 100) {
            List<Object> some = keys.subList(from, Math.min(keys.size(), from + 100));
            if (old.keepIn.isPresent()) {
                move(connection, old.table, sql(old.keepIn.get()), columns.archived(), some);
            } else {
                delete(connection, old.table, some);
            }
        }
        return keys.size();
    }

    private boolean isRole(Role role, String name) {
        return columns.find(role).map(column -> column.name().equals(name)).orElse(false);
    }

    private String names(List<String> names) {
        return names.stream().map(this::quoted).collect(Collectors.joining(", "));
    }

    private String quoted(String name) {
        return columns.database().quote(name);
    }

    private String sql(TablePath table) {
        return table.sql(columns.database());
    }
}
