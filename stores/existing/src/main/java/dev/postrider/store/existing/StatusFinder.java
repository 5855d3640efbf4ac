package dev.postrider.store.existing;

import dev.postrider.spi.Ordering;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.existing.RowQuery.Reach;
import dev.postrider.store.jdbc.RowMapper;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the rows of one table that are to be relayed.
 *
 * <p>Those that compete for rows read candidates without locks, and then lock some by their keys under the same condition: MySQL and
 * MariaDB lock what they read, the whole backlog where they have to sort, and every worker would pass over what the others have locked.
 */
final class StatusFinder {

    private static final String T = "t";

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final Optional<Duration> window;
    private final String toRelay;

    StatusFinder(TableColumns columns, Conditions conditions, HeadQuery heads, Optional<Duration> window) {
        this.columns = columns;
        this.conditions = conditions;
        this.heads = heads;
        this.window = window;
        this.toRelay = "%s AND %s".formatted(conditions.alive(T), conditions.due(T));
    }

    /** One part for each status: an index that begins with it gives each part in order, but not all of them together. */
    Sql candidates(RowQuery find, int limit) {
        List<String> parts = conditions.aliveByStatus(T);
        if (parts.size() == 1) {
            return candidates(find, parts.get(0)).add("LIMIT ?", limit);
        }
        Sql all = Sql.of("SELECT c.row_key, c.message_key, c.row_bytes FROM (");
        String union = "";
        for (String alive : parts) {
            all.add(union + "(").add(candidates(find, alive)).add("LIMIT ?)", limit);
            union = "UNION ALL ";
        }
        return all.add(") c").add(heads.orderOf("c")).add("LIMIT ?", limit);
    }

    private Sql candidates(RowQuery find, String alive) {
        Sql sql = Sql.of("SELECT %s AS row_key, %s AS message_key, %s AS row_bytes, %s FROM %s t WHERE"
                        .formatted(
                                columns.id().of(T),
                                columns.find(Role.KEY).map(heads::asText).orElse("NULL"),
                                heads.bytes(),
                                heads.orderColumns(),
                                columns.table()))
                .add(alive)
                .add("AND " + conditions.due(T));
        addFilters(sql, find);
        return sql.add(heads.order());
    }

    Candidate candidate(ResultSet row) throws SQLException {
        return new Candidate(
                heads.key(row, "row_key"),
                Optional.ofNullable(row.getString("message_key")).filter(key -> !key.isEmpty()),
                row.getLong("row_bytes"),
                Optional.empty());
    }

    /**
     * Locks those of these rows that are still to be relayed and that nobody else has locked, and reads them.
     *
     * @param select of heads, perhaps with more
     */
    <T> List<T> lock(Connection connection, List<RowKey> keys, String select, RowMapper<T> mapper) throws SQLException {
        List<T> locked = new ArrayList<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            locked.addAll(Sql.of(select + columns.idHint())
                    .add("WHERE " + columns.id().of(T) + " IN")
                    .addList(RowKey.parameters(some))
                    .add("AND " + toRelay)
                    .add(columns.database().isPostgres() ? "FOR UPDATE OF t SKIP LOCKED" : "FOR UPDATE SKIP LOCKED")
                    .list(connection, mapper));
        }
        return locked;
    }

    /** Reads these rows, whatever they are. */
    <T> List<T> read(Connection connection, List<RowKey> keys, String select, RowMapper<T> mapper) throws SQLException {
        List<T> found = new ArrayList<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            found.addAll(Sql.of(select + columns.idHint())
                    .add("WHERE " + columns.id().of(T) + " IN")
                    .addList(RowKey.parameters(some))
                    .list(connection, mapper));
        }
        return found;
    }

    private void addFilters(Sql sql, RowQuery find) {
        addTopics(sql, find);
        skip(sql, find.skipped());
        columns.find(Role.KEY).ifPresent(key -> addOrdering(sql, find, key));
        if (find.ordering() == Ordering.GLOBAL && columns.remembersRetries()) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s)".formatted(columns.table(), conditions.waiting("w")));
        }
        if (window.isPresent() && find.reach() != Reach.ALL) {
            String side = find.reach() == Reach.WINDOW ? ">=" : "<";
            sql.add(
                    "AND %s %s UNIX_TIMESTAMP() - ?"
                            .formatted(columns.of(Role.PARTITION).of(T), side),
                    window.get().toSeconds());
        }
    }

    private void addTopics(Sql sql, RowQuery find) {
        if (!find.excludedTopics().isEmpty()) {
            String topic = heads.exactTopic();
            sql.add("AND (%s IS NULL OR %s NOT IN".formatted(topic, topic))
                    .addList(columns.database().exactParameters(find.excludedTopics()))
                    .add(")");
        }
    }

    /** Nothing of a key may pass a row of it that waits for its retry. */
    private void addOrdering(Sql sql, RowQuery find, Column key) {
        skipKeys(sql, find.skippedKeys(), key);
        if (find.ordering() == Ordering.PER_KEY && columns.remembersRetries()) {
            // First as the column compares, by an index if it has one; then by bytes.
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s = %s AND %s = %s AND %s)"
                    .formatted(
                            columns.table(),
                            key.of("w"),
                            key.of(T),
                            columns.database().exact(key.of("w")),
                            columns.database().exact(key.of(T)),
                            conditions.waiting("w")));
        }
    }

    private void skip(Sql sql, Collection<RowKey> skipped) {
        for (List<RowKey> some : RowKey.chunks(List.copyOf(skipped))) {
            sql.add("AND " + columns.id().of(T) + " NOT IN").addList(RowKey.parameters(some));
        }
    }

    private void skipKeys(Sql sql, Collection<String> skippedKeys, Column key) {
        if (!skippedKeys.isEmpty()) {
            sql.add("AND (%s IS NULL OR %s NOT IN"
                            .formatted(key.of(T), columns.database().exact(key.of(T))))
                    .addList(columns.database().exactParameters(skippedKeys))
                    .add(")");
        }
    }

    /** For the importer: also rows that wait, none that a relay has claimed, and none behind such a one of its key. */
    List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        Sql sql = importable(connection);
        skip(sql, skipped);
        return sql.add(heads.order()).add("LIMIT ? FOR UPDATE", limit).list(connection, heads::head);
    }

    /** The same by id, without locks. */
    List<Head> after(Connection connection, Optional<RowKey> last, int limit) throws SQLException {
        Sql sql = importable(connection);
        last.ifPresent(key -> sql.add("AND " + columns.id().of(T) + " > ?", key.parameter()));
        return sql.add("ORDER BY " + columns.id().of(T) + " LIMIT ?", limit).list(connection, heads::head);
    }

    private Sql importable(Connection connection) throws SQLException {
        Sql sql = Sql.of(heads.select(columns.table(), ""))
                .add("WHERE")
                .add(conditions.alive(T))
                .add("AND " + conditions.unclaimed(T));
        Optional<Column> key = columns.find(Role.KEY);
        if (key.isPresent()) {
            skipKeys(sql, claimedKeys(connection, key.get()), key.get());
        }
        return sql;
    }

    private Set<String> claimedKeys(Connection connection, Column key) throws SQLException {
        if (columns.claim().isEmpty()) {
            return Set.of();
        }
        // By bytes too: MySQL takes keys that its collation does not tell apart for one.
        String sql = "SELECT DISTINCT %s, %s FROM %s t WHERE %s AND NOT (%s) AND %s IS NOT NULL";
        return new HashSet<>(Sql.of(sql.formatted(
                        heads.asText(key),
                        columns.database().exact(key.of(T)),
                        columns.table(),
                        conditions.alive(T),
                        conditions.unclaimed(T),
                        key.of(T)))
                .list(connection, row -> row.getString(1)));
    }

    /** Those of these rows that are undelivered; with a lock, those that nobody else has locked. */
    Set<RowKey> undeliveredAmong(Connection connection, List<RowKey> keys, String lock) throws SQLException {
        Set<RowKey> found = new HashSet<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            found.addAll(Sql.of("SELECT %s AS row_key FROM %s t%s WHERE %s IN"
                            .formatted(
                                    columns.id().of(T),
                                    columns.table(),
                                    columns.idHint(),
                                    columns.id().of(T)))
                    .addList(RowKey.parameters(some))
                    .add("AND " + conditions.alive(T))
                    .add(lock)
                    .list(connection, row -> heads.key(row, "row_key")));
        }
        return found;
    }
}
