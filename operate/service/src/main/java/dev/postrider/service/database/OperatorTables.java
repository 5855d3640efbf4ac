package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import dev.postrider.internal.StoredText;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What an outbox knows beside its messages: relays, pauses, what operators did, and what its dead letters have in common. Each
 * answer is one statement of bounded cost. Changes nothing but the record of operations. Thread-safe.
 */
public final class OperatorTables {

    /** How many dead letters are grouped, the newest ones. */
    public static final int GROUPED = 2_000;

    private static final int PATIENCE_SECONDS = 10;
    private static final int GROUPS = 100;
    private static final int MAX_OPERATOR = 255;
    private static final String MEMBERS =
            "SELECT owner, started_at, heartbeat_at, report FROM %s ORDER BY owner LIMIT 1000";
    private static final String CONTROLS =
            "SELECT name, set_by, set_at FROM %s WHERE kind = ? ORDER BY name LIMIT 1000";
    private static final String IS_BURIED =
            "SELECT name, set_by, set_at FROM %s WHERE kind = 'buried_key' AND name = ?";
    private static final String LANE_AGES = """
        SELECT l.lane, (SELECT h.created_at FROM %s h WHERE h.lane = l.lane ORDER BY h.seq LIMIT 1) AS oldest_at
        FROM %%1$s l ORDER BY l.lane\
        """;
    /** Where the hot table has no index by lane: of the oldest rows only. */
    private static final String LANE_AGES_OF_OLDEST = """
        SELECT lane, MIN(created_at) AS oldest_at
        FROM (SELECT lane, created_at FROM %2$s ORDER BY seq LIMIT 10000) h GROUP BY lane\
        """;
    /** Ids grow with time. */
    private static final String OPERATIONS =
            "SELECT id, happened_at, operator, action, details, affected FROM %s%s ORDER BY id DESC LIMIT ?";

    private static final String RECORD =
            "INSERT INTO %%1$s (id, happened_at, operator, action, details, affected) VALUES (?, %s, ?, ?, ?, ?)";

    private static final String DEAD_GROUPS = """
        SELECT topic, reason, error, COUNT(*) AS letters, MIN(died_at) AS first_at, MAX(died_at) AS last_at,
               SUM(CASE WHEN retry_requested THEN 1 ELSE 0 END) AS requested
        FROM (SELECT topic, reason, COALESCE(last_error, '') AS error, died_at, retry_requested FROM %1$s
              ORDER BY died_at DESC LIMIT %3$d) newest
        GROUP BY topic, reason, error ORDER BY COUNT(*) DESC, topic, reason, error LIMIT %4$d\
        """;

    private final DataSource dataSource;
    private final DatabaseKind kind;
    private final StoreSettings settings;

    OperatorTables(DataSource dataSource, DatabaseKind kind, StoreSettings settings) {
        this.dataSource = dataSource;
        this.kind = kind;
        this.settings = settings;
    }

    /**
     * A relay that lives, or died lately.
     *
     * @param report what it says of its destinations and workers, as JSON; may be empty
     */
    public record Member(String owner, Instant startedAt, Instant heartbeatAt, String report) {}

    /** A switch that an operator, or a relay, has set. */
    public record Control(String name, String setBy, Instant setAt) {}

    /** What an operator did. */
    public record Operation(
            MessageId id, Instant happenedAt, String operator, String action, String details, int affected) {}

    /** Dead letters with the same topic, reason and error. */
    public record DeadGroup(
            String topic, String reason, String error, long letters, long requested, Instant firstAt, Instant lastAt) {}

    public List<Member> members() {
        return list(
                MEMBERS,
                "_member",
                List.of(),
                row -> new Member(
                        row.getString("owner"),
                        Columns.instant(row, "started_at").orElseThrow(),
                        Columns.instant(row, "heartbeat_at").orElseThrow(),
                        row.getString("report")));
    }

    /** Paused destinations. */
    public List<Control> pauses() {
        return list(CONTROLS, "_control", List.of("pause"), OperatorTables::control);
    }

    /** When this key was given up with everything behind it, if it was. */
    public Optional<Control> buried(String key) {
        return list(IS_BURIED, "_control", List.of(key), OperatorTables::control).stream()
                .findFirst();
    }

    /** When the first waiting message of each lane was written; lanes without one are left out. */
    public Map<Integer, Instant> oldestByLane() {
        return oldest(kind.speaksMysql() ? LANE_AGES_OF_OLDEST : LANE_AGES.formatted("%2$s"));
    }

    /** When the first held message of each lane was written; lanes without one are left out. */
    public Map<Integer, Instant> oldestHeldByLane() {
        return oldest(LANE_AGES.formatted("%5$s"));
    }

    private Map<Integer, Instant> oldest(String sql) {
        Map<Integer, Instant> oldest = new LinkedHashMap<>();
        list(sql, "_lane", List.of(), row -> {
            Optional<Instant> at = Columns.instant(row, "oldest_at");
            int lane = row.getInt("lane");
            at.ifPresent(time -> oldest.put(lane, time));
            return lane;
        });
        return oldest;
    }

    /** The latest first. */
    public List<Operation> operations(Optional<MessageId> before, int limit) {
        String sql = OPERATIONS.formatted("%1$s", before.isPresent() ? " WHERE id < ?" : "");
        List<Object> values = new ArrayList<>(before.stream().toList());
        values.add(limit);
        return list(
                sql,
                "_operation",
                values,
                row -> new Operation(
                        operationId(row),
                        Columns.instant(row, "happened_at").orElseThrow(),
                        row.getString("operator"),
                        row.getString("action"),
                        row.getString("details"),
                        row.getInt("affected")));
    }

    private static MessageId operationId(ResultSet row) throws SQLException {
        return row.getObject("id") instanceof UUID uuid
                ? MessageId.fromUuid(uuid)
                : MessageId.fromBytes(row.getBytes("id"));
    }

    /** The largest first; of the newest {@link #GROUPED} dead letters. */
    public List<DeadGroup> deadGroups() {
        return list(
                DEAD_GROUPS,
                "_dead",
                List.of(),
                row -> new DeadGroup(
                        row.getString("topic"),
                        row.getString("reason"),
                        row.getString("error"),
                        row.getLong("letters"),
                        row.getLong("requested"),
                        Columns.instant(row, "first_at").orElseThrow(),
                        Columns.instant(row, "last_at").orElseThrow()));
    }

    private static Control control(ResultSet row) throws SQLException {
        return new Control(
                row.getString("name"),
                row.getString("set_by"),
                Columns.instant(row, "set_at").orElseThrow());
    }

    /** Writes down what an operator did that changed no table. */
    public void record(String operator, String action, String details, int affected) {
        String sql = RECORD.formatted(kind.speaksMysql() ? "UTC_TIMESTAMP(6)" : "CURRENT_TIMESTAMP");
        List<Object> values = List.of(
                MessageIdGenerator.uuidV7().next(), StoredText.of(operator, MAX_OPERATOR), action, details, affected);
        run(sql, "_operation", values, PreparedStatement::executeUpdate);
    }

    private <T> List<T> list(String sql, String suffix, List<Object> values, RowReading<T> reading) {
        return run(sql, suffix, values, statement -> read(statement, reading));
    }

    private <T> T run(String sql, String suffix, List<Object> values, Running<T> running) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            String named = sql.formatted(
                    SqlTable.of(connection, settings, suffix),
                    SqlTable.of(connection, settings, ""),
                    GROUPED,
                    GROUPS,
                    SqlTable.of(connection, settings, Place.HELD.suffix()));
            try (PreparedStatement statement = connection.prepareStatement(named)) {
                statement.setQueryTimeout(PATIENCE_SECONDS);
                bind(connection, statement, values);
                return running.run(statement);
            }
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not ask the outbox: " + SafeText.of(String.valueOf(failure.getMessage())), failure);
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, List<Object> values)
            throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            statement.setObject(i + 1, value instanceof MessageId id ? Columns.bound(connection, id) : value);
        }
    }

    private static <T> List<T> read(PreparedStatement statement, RowReading<T> reading) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(reading.read(rows));
            }
            return all;
        }
    }

    @FunctionalInterface
    private interface Running<T> {
        T run(PreparedStatement statement) throws SQLException;
    }

    @FunctionalInterface
    private interface RowReading<T> {
        T read(ResultSet row) throws SQLException;
    }
}
