package dev.postrider.store.existing;

import static java.util.Objects.requireNonNull;

import dev.postrider.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of named locks, each with a holder and an end by the database's clock: {@code name}, {@code holder_id},
 * {@code expire_time}.
 *
 * <p>It serves the leader lease, the tasks of maintenance and the pauses of operators.
 */
final class LockTable {

    private static final String PAUSE = "postrider:pause:";
    private static final int PAUSE_DAYS = 3650;

    private final TablePath path;
    private final Database database;
    private final Column holder;
    private final Column expires;

    private LockTable(TablePath path, Database database, Column holder, Column expires) {
        this.path = path;
        this.database = database;
        this.holder = holder;
        this.expires = expires;
    }

    /**
     * The lock table.
     *
     * @throws MappingException if the table is not as it must be
     */
    static LockTable open(Connection connection, Database database, TablePath path) throws SQLException {
        Catalog catalog = new Catalog(database, true);
        Map<String, Column> columns = catalog.existing(connection, path, "");
        List<String> problems = new ArrayList<>();
        for (String name : List.of("name", "holder_id", "expire_time")) {
            if (!columns.containsKey(name)) {
                problems.add("column %s of a lock table is missing".formatted(name));
            }
        }
        Column holder = columns.get("holder_id");
        Column expires = columns.get("expire_time");
        check(holder, Set.of(ColumnKind.UUID, ColumnKind.BYTES), problems);
        check(expires, Role.CLAIMED_UNTIL.kinds(), problems);
        if (columns.containsKey("name") && !catalog.isUnique(connection, path, "name")) {
            problems.add("column name is neither the primary key nor unique, so two relays could hold the same lock");
        }
        if (!problems.isEmpty()) {
            throw new MappingException(path, problems);
        }
        return new LockTable(path, database, requireNonNull(holder), requireNonNull(expires));
    }

    private static void check(@Nullable Column column, Set<ColumnKind> kinds, List<String> problems) {
        if (column != null && !kinds.contains(column.kind())) {
            problems.add("column %s is of type %s, expected one of %s".formatted(column.name(), column.type(), kinds));
        }
    }

    /** Takes a lock that is free, over, or already this holder's. */
    boolean take(Connection connection, String name, String owner, Duration length) throws SQLException {
        return insert(connection, name, owner, length)
                || Sql.of(
                                        "UPDATE %s SET holder_id = ?, expire_time = %s WHERE name = ? AND (holder_id = ? OR expire_time <= %s)"
                                                .formatted(table(), expires.nowPlusMicros(), expires.now()),
                                        holder(owner),
                                        micros(length),
                                        name,
                                        holder(owner))
                                .update(connection)
                        > 0;
    }

    private boolean insert(Connection connection, String name, String owner, Duration length) throws SQLException {
        String form = database.isPostgres() ? "INSERT INTO %s %s ON CONFLICT DO NOTHING" : "INSERT IGNORE INTO %s %s";
        String values = "(name, holder_id, expire_time) VALUES (?, ?, %s)".formatted(expires.nowPlusMicros());
        return Sql.of(form.formatted(table(), values), name, holder(owner), micros(length))
                        .update(connection)
                > 0;
    }

    /** Prolongs a lock that nobody else has taken, also one that is over. */
    boolean renew(Connection connection, String name, String owner, Duration length) throws SQLException {
        return Sql.of(
                                "UPDATE %s SET expire_time = %s WHERE name = ? AND holder_id = ?"
                                        .formatted(table(), expires.nowPlusMicros()),
                                micros(length),
                                name,
                                holder(owner))
                        .update(connection)
                > 0;
    }

    void release(Connection connection, String name, String owner) throws SQLException {
        Sql.of("DELETE FROM %s WHERE name = ? AND holder_id = ?".formatted(table()), name, holder(owner))
                .update(connection);
    }

    /** Whether the holder has it; if so, nobody can take it before this transaction ends. */
    boolean isHeld(Connection connection, String name, String owner) throws SQLException {
        return Sql.of(
                        "SELECT 1 FROM %s WHERE name = ? AND holder_id = ? FOR UPDATE".formatted(table()),
                        name,
                        holder(owner))
                .first(connection, row -> true)
                .isPresent();
    }

    Optional<State> state(Connection connection, String name) throws SQLException {
        return Sql.of(
                        "SELECT holder_id, -(%s) AS remaining FROM %s WHERE name = ?"
                                .formatted(expires.ageInMicros("expire_time"), table()),
                        name)
                .first(connection, row -> new State(holderOf(row), Times.span(row, "remaining")));
    }

    /** The names of leases that others than this holder have now, without those of pauses and tasks. */
    Set<String> leaders(Connection connection, String owner) throws SQLException {
        return new HashSet<>(Sql.of(
                        "SELECT name FROM %s WHERE expire_time > %s AND holder_id <> ? AND name NOT LIKE ?"
                                .formatted(table(), expires.now()),
                        holder(owner),
                        "postrider:%")
                .list(connection, row -> row.getString(1)));
    }

    Set<String> paused(Connection connection) throws SQLException {
        return new HashSet<>(Sql.of("SELECT name FROM %s WHERE name LIKE ?".formatted(table()), PAUSE + "%")
                .list(connection, row -> row.getString(1).substring(PAUSE.length())));
    }

    void pause(Connection connection, String destination, String operator) throws SQLException {
        insert(connection, PAUSE + destination, operator, Duration.ofDays(PAUSE_DAYS));
    }

    void resume(Connection connection, String destination) throws SQLException {
        Sql.of("DELETE FROM %s WHERE name = ?".formatted(table()), PAUSE + destination)
                .update(connection);
    }

    /** Owners are texts elsewhere; here they are 16 bytes. */
    private Object holder(String owner) {
        MessageId id = MessageId.of(owner);
        return holder.kind() == ColumnKind.UUID ? id.toUuid() : id.toBytes();
    }

    private String holderOf(ResultSet row) throws SQLException {
        return RowKey.read(row, "holder_id", holder.kind()).messageId("owner").toString();
    }

    private static long micros(Duration length) {
        return dev.postrider.store.jdbc.Micros.of(length);
    }

    private String table() {
        return path.sql(database);
    }

    /** Who has a lock, and for how long; not positive if it is over. */
    record State(String holder, Duration remaining) {}
}
