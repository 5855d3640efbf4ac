package dev.postrider.store.status;

import dev.postrider.internal.StoredText;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.store.jdbc.Micros;
import dev.postrider.store.status.Head.Texts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tables between which rows move: pending, wait, completed, parking lot. In MySQL, MariaDB and TiDB.
 *
 * <p>Every move names its rows by id, in INSERT … SELECT and DELETE of one transaction: a condition on the time would be judged twice,
 * and lose the rows that fell due in between. All times are UTC, by the database's clock. No row is claimed: the leader lease sees to
 * it that one relay moves rows.
 */
final class MoveTables implements Rows {

    private static final String MESSAGE = "id, metadata, data, create_time";
    private static final int MAX_REASON = 1024;

    private final Database database;
    private final MovePaths paths;
    private final Optional<String> topic;
    private final Optional<HourRing> ring;

    MoveTables(Database database, MovePaths paths, Optional<String> topic, Optional<HourRing> ring) {
        this.database = database;
        this.paths = paths;
        this.topic = topic;
        this.ring = ring;
    }

    @Override
    public String name() {
        return paths.pending().toString();
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public List<Head> find(Connection connection, Find find) throws SQLException {
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(select("retry_count", "''", "0"), pending()));
        if (!find.excludedTopics().isEmpty()) {
            sql.add("AND %s NOT IN".formatted(topicSql())).addList(find.excludedTopics());
        }
        if (find.ordering() == Ordering.PER_KEY) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s = %s)".formatted(waiting(), keySql("w"), keySql("t")));
        } else if (find.ordering() == Ordering.GLOBAL) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w)".formatted(waiting()));
        }
        return sql.add("ORDER BY t.id LIMIT ?", find.limit()).list(connection, MoveTables::head);
    }

    @Override
    public List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(select("retry_count", "''", "0"), pending()));
        for (List<RowKey> some : RowKey.chunks(List.copyOf(skipped))) {
            sql.add("AND t.id NOT IN").addList(RowKey.parameters(some));
        }
        return sql.add("ORDER BY t.id LIMIT ? FOR UPDATE", limit).list(connection, MoveTables::head);
    }

    @Override
    public void returnWaiting(Connection connection) throws SQLException {
        List<Object> all =
                Sql.of("SELECT id FROM %s FOR UPDATE".formatted(waiting())).list(connection, row -> row.getBytes(1));
        bringBack(connection, all);
    }

    private String select(String attempts, String reason, String since) {
        return """
                SELECT t.id AS row_key, %s AS message_key, %s AS topic, %s AS type, t.%s AS attempts, %s AS error, %s AS dead_for,
                       JSON_UNQUOTE(JSON_EXTRACT(t.metadata, '$.ID')) AS event_id,
                       TIMESTAMPDIFF(MICROSECOND, t.create_time, UTC_TIMESTAMP(6)) / 1000000 AS age,
                       UNIX_TIMESTAMP(NOW(6)) AS database_time,
                       OCTET_LENGTH(t.data) + OCTET_LENGTH(t.metadata) AS row_bytes""".formatted(keySql("t"), topicSql(), typeSql(), attempts, reason, since);
    }

    private static String typeSql() {
        return "JSON_UNQUOTE(JSON_EXTRACT(t.metadata, '$.Type'))";
    }

    /** What stands before the last dot of the type, or the one topic for all. */
    private String topicSql() {
        return topic.map(database::literal)
                .orElseGet(() ->
                        "COALESCE(IF(INSTR(%1$s, '.') = 0, %1$s, LEFT(%1$s, CHAR_LENGTH(%1$s) - LOCATE('.', REVERSE(%1$s)))), '')"
                                .formatted(typeSql()));
    }

    private static String keySql(String alias) {
        return "NULLIF(JSON_UNQUOTE(JSON_EXTRACT(%s.metadata, '$.Subject')), '')".formatted(alias);
    }

    private static Head head(ResultSet row) throws SQLException {
        RowKey key = RowKey.read(row, "row_key", ColumnKind.BYTES);
        Map<String, String> texts = new HashMap<>();
        texts.put(Texts.TOPIC, row.getString("topic"));
        texts.put(Texts.ERROR, row.getString("error"));
        Optional.ofNullable(row.getString("type")).ifPresent(type -> texts.put(Texts.TYPE, type));
        String eventId = row.getString("event_id");
        return new Head(
                key,
                eventId == null || eventId.isEmpty()
                        ? key.messageId("event")
                        : new RowKey(ColumnKind.TEXT, eventId).messageId("event"),
                Optional.ofNullable(row.getString("message_key")),
                row.getInt("attempts"),
                Times.before(row, "database_time", "age"),
                Times.of(row, "database_time"),
                texts,
                row.getLong("row_bytes"));
    }

    @Override
    public Map<RowKey, Body> bodies(Connection connection, Collection<RowKey> keys) throws SQLException {
        Map<RowKey, Body> bodies = new HashMap<>();
        for (List<RowKey> some : RowKey.chunks(List.copyOf(keys))) {
            Sql.of("SELECT id AS row_key, metadata, data FROM %s WHERE id IN".formatted(pending()))
                    .addList(RowKey.parameters(some))
                    .list(
                            connection,
                            row -> bodies.put(
                                    RowKey.read(row, "row_key", ColumnKind.BYTES),
                                    new Body(row.getBytes("data"), Optional.of(row.getString("metadata")))));
        }
        return bodies;
    }

    @Override
    public OutboxMessage message(Head head, Body body) {
        CloudMetadata metadata = CloudMetadata.read(body.headers().orElseThrow());
        OutboxMessage.Builder message = OutboxMessage.builder(head.topic())
                .id(head.id())
                .type(metadata.type())
                .headers(metadata.headers())
                .payload(body.payload());
        metadata.contentType().ifPresent(message::contentType);
        head.messageKey().ifPresent(message::key);
        return message.build();
    }

    @Override
    public void apply(Connection connection, List<Outcome> outcomes, Optional<String> token) throws SQLException {
        List<RowKey> delivered = outcomes.stream()
                .filter(Outcome.Delivered.class::isInstance)
                .map(Outcome::key)
                .toList();
        for (List<RowKey> some : RowKey.chunks(delivered)) {
            if (paths.completed().isPresent()) {
                Sql.of("INSERT INTO %s (%s, sent_time) SELECT %s, UTC_TIMESTAMP(6) FROM %s WHERE id IN"
                                .formatted(sql(paths.completed().get()), MESSAGE, MESSAGE, pending()))
                        .addList(RowKey.parameters(some))
                        .update(connection);
            }
            delete(connection, pending(), RowKey.parameters(some));
        }
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed failed) {
                toWait(connection, failed);
            } else if (outcome instanceof Outcome.Dead dead) {
                toParkingLot(connection, dead.key(), dead.attempts(), textOf(dead));
            }
        }
    }

    private void toWait(Connection connection, Outcome.Failed failed) throws SQLException {
        Sql.of(
                        "INSERT INTO %s (%s, retry_count, retry_time) SELECT %s, ?, DATE_ADD(UTC_TIMESTAMP(6), INTERVAL ? MICROSECOND) FROM %s WHERE id = ?"
                                .formatted(waiting(), MESSAGE, MESSAGE, pending()),
                        failed.attempts(),
                        Micros.of(failed.delay()),
                        failed.key().parameter())
                .update(connection);
        delete(connection, pending(), List.of(failed.key().parameter()));
    }

    private static String textOf(Outcome.Dead dead) {
        return dead.reason() == DeadReason.ATTEMPTS_EXHAUSTED
                ? "max retries (%d) exceeded: %s".formatted(dead.attempts(), dead.error())
                : dead.text();
    }

    private void toParkingLot(Connection connection, RowKey key, int attempts, String reason) throws SQLException {
        Sql.of(
                        "INSERT INTO %s (%s, retry_count, reason, park_time) SELECT %s, ?, ?, UTC_TIMESTAMP(6) FROM %s WHERE id = ?"
                                .formatted(parkingLot(), MESSAGE, MESSAGE, pending()),
                        attempts,
                        StoredText.of(reason, MAX_REASON),
                        key.parameter())
                .update(connection);
        delete(connection, pending(), List.of(key.parameter()));
    }

    @Override
    public void buryKey(Connection connection, String key, String error) throws SQLException {
        List<RowKey> rows = Sql.of(
                        "SELECT t.id AS row_key FROM %s t WHERE %s = ?".formatted(pending(), keySql("t")), key)
                .list(connection, row -> RowKey.read(row, "row_key", ColumnKind.BYTES));
        for (RowKey row : rows) {
            toParkingLot(connection, row, 0, error);
        }
    }

    @Override
    public boolean remembersRetries() {
        return true;
    }

    @Override
    public boolean remembersDead() {
        return true;
    }

    /** The rows are chosen once, and locked; both statements name them by id. */
    @Override
    public int releaseDue(Connection connection, int limit) throws SQLException {
        List<Object> due = Sql.of(
                        "SELECT id FROM %s WHERE retry_time <= UTC_TIMESTAMP(6) ORDER BY retry_time LIMIT ? FOR UPDATE"
                                .formatted(waiting()),
                        limit)
                .list(connection, row -> row.getBytes(1));
        bringBack(connection, due);
        return due.size();
    }

    private void bringBack(Connection connection, List<Object> due) throws SQLException {
        for (int from = 0; from < due.size(); from += 100) {
            List<Object> some = due.subList(from, Math.min(due.size(), from + 100));
            Sql.of("INSERT INTO %s (%s, retry_count) SELECT %s, retry_count FROM %s WHERE id IN"
                            .formatted(pending(), MESSAGE, MESSAGE, waiting()))
                    .addList(some)
                    .update(connection);
            delete(connection, waiting(), some);
        }
    }

    @Override
    public Optional<Duration> nextDue(Connection connection) throws SQLException {
        return Sql.of("SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), MIN(retry_time)) FROM %s"
                        .formatted(waiting()))
                .first(connection, row -> {
                    long micros = row.getLong(1);
                    return row.wasNull()
                            ? Optional.<Duration>empty()
                            : Optional.of(Micros.toDuration(Math.max(0, micros)));
                })
                .flatMap(due -> due);
    }

    @Override
    public int unblock(Connection connection, Optional<String> key) throws SQLException {
        Sql sql = Sql.of(
                "UPDATE %s t SET t.retry_time = UTC_TIMESTAMP(6), t.retry_count = 0 WHERE t.retry_time > DATE_ADD(UTC_TIMESTAMP(6), INTERVAL 1825 DAY)"
                        .formatted(waiting()));
        key.ifPresent(text -> sql.add("AND %s = ?".formatted(keySql("t")), text));
        return sql.update(connection);
    }

    @Override
    public boolean deadStaysInPlace() {
        return false;
    }

    @Override
    public List<DeadRow> dead(Connection connection, Optional<RowKey> after, int limit) throws SQLException {
        String since = "TIMESTAMPDIFF(MICROSECOND, t.park_time, UTC_TIMESTAMP(6)) / 1000000";
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(select("retry_count", "t.reason", since), parkingLot()));
        after.ifPresent(key -> sql.add("AND t.id > ?", key.parameter()));
        return sql.add("ORDER BY t.id LIMIT ?", limit)
                .list(connection, row -> new DeadRow(head(row), Times.seconds(row, "dead_for")));
    }

    @Override
    public int retryDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            count += Sql.of("INSERT INTO %s (%s, retry_count) SELECT %s, 0 FROM %s WHERE id IN"
                            .formatted(pending(), MESSAGE, MESSAGE, parkingLot()))
                    .addList(RowKey.parameters(some))
                    .update(connection);
            delete(connection, parkingLot(), RowKey.parameters(some));
        }
        return count;
    }

    @Override
    public int discardDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            count += delete(connection, parkingLot(), RowKey.parameters(some));
        }
        return count;
    }

    @Override
    public Counts count(Connection connection, int atMost) throws SQLException {
        Duration oldest = Sql.of(
                        "SELECT COALESCE(TIMESTAMPDIFF(MICROSECOND, MIN(c), UTC_TIMESTAMP(6)) / 1000000, 0) AS age FROM (SELECT MIN(create_time) AS c FROM %s UNION ALL SELECT MIN(create_time) FROM %s) both_tables"
                                .formatted(pending(), waiting()))
                .first(connection, row -> Times.seconds(row, "age"))
                .orElse(Duration.ZERO);
        return new Counts(
                count(connection, pending(), atMost),
                count(connection, waiting(), atMost),
                count(connection, parkingLot(), atMost),
                oldest);
    }

    private static long count(Connection connection, String table, int atMost) throws SQLException {
        return Sql.of("SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s LIMIT ?) c".formatted(table), atMost)
                .first(connection, row -> row.getLong(1))
                .orElse(0L);
    }

    /** By whole partitions, where the table is the ring of 24 hours. */
    @Override
    public int deleteDelivered(Connection connection, Duration age, int limit) throws SQLException {
        if (paths.completed().isEmpty()) {
            return 0;
        }
        if (ring.isPresent() && HourRing.canKeep(age)) {
            return ring.get().truncate(connection, age);
        }
        return deleteOld(connection, sql(paths.completed().get()), "sent_time", age, limit);
    }

    @Override
    public int deleteDead(Connection connection, Duration age, int limit) throws SQLException {
        return deleteOld(connection, parkingLot(), "park_time", age, limit);
    }

    private static int deleteOld(Connection connection, String table, String time, Duration age, int limit)
            throws SQLException {
        return Sql.of(
                        "DELETE FROM %s WHERE %s <= DATE_SUB(UTC_TIMESTAMP(6), INTERVAL ? MICROSECOND) ORDER BY %s LIMIT ?"
                                .formatted(table, time, time),
                        Micros.of(age),
                        limit)
                .update(connection);
    }

    private static int delete(Connection connection, String table, List<Object> keys) throws SQLException {
        return Sql.of("DELETE FROM %s WHERE id IN".formatted(table))
                .addList(keys)
                .update(connection);
    }

    private String pending() {
        return sql(paths.pending());
    }

    private String waiting() {
        return sql(paths.waiting());
    }

    private String parkingLot() {
        return sql(paths.parkingLot());
    }

    private String sql(TablePath table) {
        return table.sql(database);
    }
}
