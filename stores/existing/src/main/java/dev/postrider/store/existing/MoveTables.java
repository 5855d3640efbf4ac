package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.jdbc.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tables between which rows move: pending, wait, completed, parking lot. In MySQL, MariaDB and TiDB.
 *
 * <p>All times are UTC, by the database's clock. No row is claimed: the leader lease sees to it that one relay moves rows.
 */
final class MoveTables implements Rows {

    private final Database database;
    private final MovePaths paths;
    private final MoveHeads heads;
    private final MoveSteps steps;
    private final PendingInsert insert;
    private final Optional<HourRing> ring;
    private final MoveFinder finder;

    MoveTables(Database database, Opened opened, MoveTexts texts) {
        this.database = database;
        this.paths = opened.paths();
        this.heads = new MoveHeads(database, texts, opened);
        this.steps = new MoveSteps(database, paths, opened.countsRetries());
        this.insert = new PendingInsert(pending(), texts);
        this.ring = opened.ring();
        this.finder = new MoveFinder(database, paths, heads, texts.isLenient());
    }

    /**
     * The tables as they were found.
     *
     * @param countsRetries whether pending rows have a count of their attempts
     * @param isJson whether metadata are of a type of their own, and no text
     * @param ring the table of delivered rows, if it is one
     */
    record Opened(MovePaths paths, boolean countsRetries, boolean isJson, Optional<HourRing> ring) {}

    @Override
    public String name() {
        return paths.pending().toString();
    }

    @Override
    public Database database() {
        return database;
    }

    /** As the services have it that write these tables: first in, first out. */
    @Override
    public Ordering defaultOrdering() {
        return Ordering.GLOBAL;
    }

    @Override
    public void insert(Connection connection, List<OutboxMessage> messages) throws SQLException {
        insert.insert(connection, messages);
    }

    @Override
    public List<Candidate> candidates(Connection connection, RowQuery find, long smallBytes) throws SQLException {
        return finder.candidates(connection, find, smallBytes);
    }

    @Override
    public Map<RowKey, WholeRow> whole(Connection connection, List<RowKey> keys) throws SQLException {
        return finder.whole(connection, keys);
    }

    @Override
    public List<Head> heads(Connection connection, List<RowKey> keys) throws SQLException {
        return finder.heads(connection, keys);
    }

    @Override
    public List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        return finder.undelivered(connection, limit, skipped);
    }

    @Override
    public List<Head> after(Connection connection, Place place, Optional<RowKey> last, int limit) throws SQLException {
        if (place == Place.WAITING && paths.waiting().isEmpty()) {
            return List.of();
        }
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(heads.select(), tableOf(place)));
        last.ifPresent(key -> sql.add("AND t.id > ?", key.parameter()));
        return sql.add("ORDER BY t.id LIMIT ?", limit).list(connection, MoveHeads::head);
    }

    @Override
    public int returnWaiting(Connection connection, int limit) throws SQLException {
        return paths.waiting().isEmpty() ? 0 : bringBack(connection, "1 = 1", "id", limit);
    }

    @Override
    public Set<RowKey> undeliveredAmong(Connection connection, List<RowKey> keys) throws SQLException {
        Set<RowKey> found = new HashSet<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            found.addAll(Sql.of("SELECT id AS row_key FROM %s WHERE id IN".formatted(pending()))
                    .addList(RowKey.parameters(some))
                    .list(connection, row -> RowKey.read(row, "row_key", ColumnKind.BYTES)));
        }
        return found;
    }

    @Override
    public Map<RowKey, Body> bodies(Connection connection, Place place, Collection<RowKey> keys) throws SQLException {
        Map<RowKey, Body> bodies = new HashMap<>();
        for (List<RowKey> some : RowKey.chunks(List.copyOf(keys))) {
            Sql.of("SELECT id AS row_key, metadata, COALESCE(data, '') AS data FROM %s WHERE id IN"
                            .formatted(tableOf(place)))
                    .addList(RowKey.parameters(some))
                    .list(
                            connection,
                            row -> bodies.put(
                                    RowKey.read(row, "row_key", ColumnKind.BYTES),
                                    new Body(row.getBytes("data"), Optional.ofNullable(row.getString("metadata")))));
        }
        return bodies;
    }

    @Override
    public OutboxMessage message(Head head, Body body) {
        return finder.message(head, CloudMetadata.read(body.headers().orElse("null")), body.payload());
    }

    @Override
    public void apply(Connection connection, Map<RowKey, Outcome> outcomes, Optional<String> token)
            throws SQLException {
        steps.toCompleted(connection, Rows.delivered(outcomes));
        for (Map.Entry<RowKey, Outcome> each : outcomes.entrySet()) {
            if (each.getValue() instanceof RowOutcome.RetryLater retry && remembersRetries()) {
                steps.toWait(connection, each.getKey(), retry);
            } else if (each.getValue() instanceof RowOutcome.Blocked blocked && remembersBlocks()) {
                steps.toWaitForever(connection, each.getKey(), blocked);
            } else if (each.getValue() instanceof RowOutcome.Dead dead && remembersDead()) {
                steps.toParkingLot(connection, each.getKey(), dead);
            }
        }
    }

    @Override
    public boolean remembersRetries() {
        return paths.waiting().isPresent();
    }

    @Override
    public boolean remembersDead() {
        return paths.parkingLot().isPresent();
    }

    @Override
    public int maxSupportedAttempts() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean remembersBlocks() {
        return paths.waiting().isPresent();
    }

    @Override
    public boolean hasWaitTable() {
        return paths.waiting().isPresent();
    }

    @Override
    public int releaseDue(Connection connection, int limit) throws SQLException {
        return paths.waiting().isEmpty()
                ? 0
                : bringBack(connection, "retry_time <= UTC_TIMESTAMP(6)", "retry_time", limit);
    }

    /** The rows are chosen once, and locked; all that follows names them by id. */
    private int bringBack(Connection connection, String condition, String order, int limit) throws SQLException {
        List<RowKey> due = Sql.of(
                        "SELECT id AS row_key FROM %s WHERE %s ORDER BY %s LIMIT ? FOR UPDATE"
                                .formatted(waiting(), condition, order),
                        limit)
                .list(connection, row -> RowKey.read(row, "row_key", ColumnKind.BYTES));
        steps.bringBack(connection, due);
        return due.size();
    }

    @Override
    public Optional<Duration> nextDue(Connection connection) throws SQLException {
        if (paths.waiting().isEmpty()) {
            return Optional.empty();
        }
        return Sql.of(
                        "SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), MIN(retry_time)) FROM %s WHERE retry_time < %s"
                                .formatted(waiting(), MoveSteps.NEVER))
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
        if (paths.waiting().isEmpty()) {
            return 0;
        }
        Sql sql = Sql.of("UPDATE %s t SET t.retry_time = UTC_TIMESTAMP(6), t.retry_count = 0 WHERE t.retry_time = %s"
                .formatted(waiting(), MoveSteps.NEVER));
        key.ifPresent(text -> sql.add("AND %s = ?".formatted(exactKey("t")), database.exactParameter(text)));
        return sql.update(connection);
    }

    private String exactKey(String alias) {
        return database.exact(heads.key(alias));
    }

    /** Nothing to do: all that failed is in the table where it waits. */
    @Override
    public void startAnew(Connection connection, List<RowKey> keys) {}

    @Override
    public List<DeadRow> dead(Connection connection, Optional<RowKey> after, int limit) throws SQLException {
        if (paths.parkingLot().isEmpty()) {
            return List.of();
        }
        Sql sql = Sql.of("%s FROM %s t WHERE 1 = 1".formatted(heads.selectParked(), parkingLot()));
        after.ifPresent(key -> sql.add("AND t.id > ?", key.parameter()));
        return sql.add("ORDER BY t.id LIMIT ?", limit)
                .list(connection, row -> new DeadRow(MoveHeads.head(row), Times.age(row, "dead_for")));
    }

    @Override
    public Map<DeadReason, Long> deadByReason(Connection connection, int atMost) throws SQLException {
        return paths.parkingLot().isEmpty()
                ? Map.of()
                : DeadText.count(
                        connection,
                        "SELECT %s AS reason FROM %s t".formatted(DeadText.reasonOfColumn("t.reason"), parkingLot()),
                        atMost);
    }

    @Override
    public int retryDead(Connection connection, List<RowKey> keys) throws SQLException {
        return remembersDead() ? steps.retry(connection, keys) : 0;
    }

    @Override
    public int discardDead(Connection connection, List<RowKey> keys) throws SQLException {
        return remembersDead() ? steps.discard(connection, keys) : 0;
    }

    @Override
    public Counts count(Connection connection, int atMost) throws SQLException {
        RowCount waiting = paths.waiting().isPresent() ? tally(connection, waiting(), atMost) : RowCount.NONE;
        return new Counts(
                tally(connection, pending(), atMost).plus(waiting),
                waiting.rows(),
                remembersDead() ? tally(connection, parkingLot(), atMost).rows() : 0,
                paths.completed().isPresent()
                        ? tally(connection, paths.completed().get().sql(database), atMost)
                        : RowCount.NONE,
                oldestAge(connection));
    }

    @Override
    public Map<String, RowCount> countsByStatus(Connection connection, int atMost) throws SQLException {
        Map<String, RowCount> counts = new LinkedHashMap<>();
        for (TablePath path : paths.all()) {
            counts.put(path.toString(), tally(connection, path.sql(database), atMost));
        }
        return counts;
    }

    private RowCount tally(Connection connection, String table, int atMost) throws SQLException {
        return Tally.of(connection, database, table, atMost);
    }

    @Override
    public Optional<Duration> newestAge(Connection connection) throws SQLException {
        return Sql.of(
                        "SELECT TIMESTAMPDIFF(MICROSECOND, create_time, UTC_TIMESTAMP(6)) AS age FROM %s ORDER BY id DESC LIMIT 1"
                                .formatted(pending()))
                .first(connection, row -> Times.span(row, "age"));
    }

    /** By the primary key, which is the order of rows: there is no index on their time. */
    private Duration oldestAge(Connection connection) throws SQLException {
        String oldest = "(SELECT create_time FROM %s ORDER BY id LIMIT 1)";
        String waits = paths.waiting().isPresent() ? " UNION ALL " + oldest.formatted(waiting()) : "";
        return Sql.of(
                        "SELECT COALESCE(TIMESTAMPDIFF(MICROSECOND, MIN(create_time), UTC_TIMESTAMP(6)), 0) AS age FROM (%s%s) oldest"
                                .formatted(oldest.formatted(pending()), waits))
                .first(connection, row -> Times.age(row, "age"))
                .orElse(Duration.ZERO);
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
        return deleteOld(connection, paths.completed().get().sql(database), "sent_time", age, limit);
    }

    @Override
    public int deleteDead(Connection connection, Duration age, int limit) throws SQLException {
        return remembersDead() ? deleteOld(connection, parkingLot(), "park_time", age, limit) : 0;
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

    private String tableOf(Place place) {
        return switch (place) {
            case PENDING -> pending();
            case WAITING -> waiting();
            case GIVEN_UP -> parkingLot();
        };
    }

    private String pending() {
        return paths.pending().sql(database);
    }

    private String waiting() {
        return paths.waiting().orElseThrow().sql(database);
    }

    private String parkingLot() {
        return paths.parkingLot().orElseThrow().sql(database);
    }
}
