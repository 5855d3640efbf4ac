package dev.postrider.store.existing;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A mapping that was found to fit its table.
 *
 * @param origin what tells this table from those of the same name in other databases
 * @param idIndex the index that begins with the id
 * @param delivered the columns of a row that is moved when it was delivered
 * @param dead the columns of a row that is moved when it was given up
 * @param archived the columns of a delivered row that is moved to the archive
 */
record TableColumns(
        Database database,
        TableMapping mapping,
        String origin,
        String idIndex,
        Map<Role, Column> byRole,
        Map<String, Column> byName,
        List<String> delivered,
        List<String> dead,
        List<String> archived) {

    Column id() {
        return of(Role.ID);
    }

    Column payload() {
        return of(Role.PAYLOAD);
    }

    /** The column of a role that the mapping has. */
    Column of(Role role) {
        return requireNonNull(byRole.get(role));
    }

    /** A column that the mapping names. */
    Column named(String name) {
        return requireNonNull(byName.get(name));
    }

    Optional<Column> find(Role role) {
        return Optional.ofNullable(byRole.get(role));
    }

    boolean has(Role role) {
        return byRole.containsKey(role);
    }

    /** The column that holds the end of a claim, if the table has one. */
    Optional<Column> claim() {
        return find(Role.CLAIMED_UNTIL).or(() -> find(Role.NEXT_ATTEMPT));
    }

    /** Whether the table itself knows how often a row has failed, and since or until when. */
    boolean remembersRetries() {
        return has(Role.ATTEMPTS) && (has(Role.NEXT_ATTEMPT) || has(Role.LAST_ATTEMPT));
    }

    /** What holds a time that does not come while a row waits for an operator, if the table has such a column. */
    Optional<Role> blockedBy() {
        return Stream.of(Role.NEXT_ATTEMPT, Role.LAST_ATTEMPT).filter(this::has).findFirst();
    }

    /**
     * What says when a row was given up, if anything does: the last attempt, or else the next one, which is set to that time. A table of
     * their own must have it too.
     */
    Optional<Column> deadSince() {
        return Stream.of(Role.LAST_ATTEMPT, Role.NEXT_ATTEMPT)
                .flatMap(role -> find(role).stream())
                .filter(column -> mapping.deadTable.isEmpty() || dead.contains(column.name()))
                .findFirst();
    }

    /** Where the text comes from, as SQL that reads it. */
    String sql(MappedText text, String alias) {
        return text.column()
                .map(column -> named(column).of(alias))
                .orElseGet(() -> database.literal(text.text().orElseThrow()));
    }

    MappedText topic() {
        return mapping.topic.orElseGet(() -> find(Role.AGGREGATE_TYPE)
                .map(column -> MappedText.column(column.name()))
                .orElse(mapping.type));
    }

    /** A status as a literal of its column's type. */
    String status(String value) {
        return of(Role.STATUS).kind() == ColumnKind.NUMBER ? value : database.literal(value);
    }

    /**
     * The table in a statement that names its rows by id. A planner with old statistics might read it whole, and MySQL and
     * MariaDB lock what they read: then it would wait for rows that other relays have claimed.
     */
    String tableById() {
        return table() + idHint();
    }

    String idHint() {
        return database.isPostgres() ? "" : " FORCE INDEX (%s)".formatted(database.quote(idIndex));
    }

    /** A delete from the table by ids, to be followed by its condition. */
    String deleteById() {
        return database.isPostgres() ? "DELETE FROM " + table() : "DELETE %s FROM %s".formatted(table(), tableById());
    }

    String table() {
        return mapping.table.sql(database);
    }

    /** Adds that the row is one of these. */
    Sql whereId(Sql sql, List<RowKey> keys) {
        return sql.add("WHERE " + id().sql() + " IN").addList(RowKey.parameters(keys));
    }
}
