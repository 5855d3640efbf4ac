package dev.postrider.store.status;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.store.jdbc.Micros;
import dev.postrider.store.status.Head.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One table whose rows say how far they are.
 *
 * <p>Finding locks at most the rows it returns. PostgreSQL locks row by row as the limit asks for them. MySQL and MariaDB lock
 * what they read, the whole backlog where they have to sort, so there candidates are read without locks, and then locked by
 * their keys under the same condition.
 */
final class StatusTable implements Rows {

    private static final String T = "t";
    private static final int MOST_CANDIDATES = 20_000;

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final ClaimColumn claims;
    private final MessageMaker messages;
    private final RowMoves moves;
    private final Optional<Duration> window;

    StatusTable(TableColumns columns, Optional<Duration> window, Optional<TablePath> archive) {
        this.columns = columns;
        this.conditions = new Conditions(columns);
        this.heads = new HeadQuery(columns, conditions);
        this.claims = new ClaimColumn(columns);
        this.messages = new MessageMaker(columns);
        this.moves = new RowMoves(columns, conditions, archive);
        this.window = window;
    }

    @Override
    public String name() {
        return columns.mapping().table.toString();
    }

    @Override
    public Database database() {
        return columns.database();
    }

    TableColumns columns() {
        return columns;
    }

    ClaimColumn claims() {
        return claims;
    }

    Conditions conditions() {
        return conditions;
    }

    @Override
    public List<Head> find(Connection connection, Find find) throws SQLException {
        if (find.locks() && !database().isPostgres()) {
            return lockCandidates(connection, find);
        }
        Sql sql = Sql.of(selectHeads("")).add("WHERE").add(conditions.alive(T)).add("AND " + conditions.due(T));
        addFilters(sql, find);
        sql.add(heads.order()).add("LIMIT ?", find.limit());
        if (find.locks()) {
            // Row by row: those that others have locked belong to them for now.
            sql.add("FOR UPDATE OF t SKIP LOCKED");
        }
        return sql.list(connection, heads::head);
    }

    @Override
    public List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        Sql sql = Sql.of(selectHeads("")).add("WHERE").add(conditions.alive(T)).add("AND " + conditions.unclaimed(T));
        for (List<RowKey> some : RowKey.chunks(List.copyOf(skipped))) {
            sql.add("AND " + columns.id().of(T) + " NOT IN").addList(RowKey.parameters(some));
        }
        return sql.add(heads.order()).add("LIMIT ? FOR UPDATE", limit).list(connection, heads::head);
    }

    @Override
    public void returnWaiting(Connection connection) {}

    private List<Head> lockCandidates(Connection connection, Find find) throws SQLException {
        int candidates = find.limit();
        while (true) {
            Sql sql = Sql.of("SELECT %s AS row_key FROM %s t WHERE"
                            .formatted(columns.id().of(T), columns.table()))
                    .add(conditions.alive(T))
                    .add("AND " + conditions.due(T));
            addFilters(sql, find);
            List<RowKey> keys = sql.add(heads.order())
                    .add("LIMIT ?", candidates)
                    .list(connection, row -> heads.key(row, "row_key"));
            List<Head> locked = lock(connection, keys, find.limit());
            boolean isEnough = locked.size() * 2 >= find.limit();
            if (isEnough || keys.size() < candidates || candidates >= MOST_CANDIDATES) {
                return locked;
            }
            // Others have the first ones: look further.
            candidates *= 4;
        }
    }

    private List<Head> lock(Connection connection, List<RowKey> keys, int limit) throws SQLException {
        List<Head> locked = new ArrayList<>();
        for (List<RowKey> some : RowKey.chunks(keys)) {
            if (locked.size() >= limit) {
                break;
            }
            locked.addAll(Sql.of(selectHeads(idHint()))
                    .add("WHERE " + columns.id().of(T) + " IN")
                    .addList(RowKey.parameters(some))
                    .add("AND " + conditions.alive(T))
                    .add("AND " + conditions.due(T))
                    .add(heads.order())
                    .add("LIMIT ? FOR UPDATE SKIP LOCKED", limit - locked.size())
                    .list(connection, heads::head));
        }
        return locked;
    }

    private void addFilters(Sql sql, Find find) {
        addTopics(sql, find);
        for (List<RowKey> some : RowKey.chunks(List.copyOf(find.skipped()))) {
            sql.add("AND " + columns.id().of(T) + " NOT IN").addList(RowKey.parameters(some));
        }
        columns.find(Role.KEY).ifPresent(key -> addOrdering(sql, find, key));
        if (find.ordering() == Ordering.GLOBAL && remembersRetries()) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s)".formatted(columns.table(), conditions.waiting("w")));
        }
        if (!find.isFull()) {
            window.ifPresent(length -> sql.add(
                    "AND %s >= UNIX_TIMESTAMP() - ?"
                            .formatted(columns.byRole().get(Role.PARTITION).of(T)),
                    length.toSeconds()));
        }
    }

    private void addTopics(Sql sql, Find find) {
        if (!find.excludedTopics().isEmpty()) {
            String topic = columns.sql(columns.topic(), T);
            sql.add("AND (%s IS NULL OR %s NOT IN".formatted(topic, topic))
                    .addList(find.excludedTopics())
                    .add(")");
        }
    }

    /** Nothing of a key may pass a row of it that waits for its retry. */
    private void addOrdering(Sql sql, Find find, Column key) {
        if (!find.skippedKeys().isEmpty()) {
            String text = heads.asText(key);
            sql.add("AND (%s IS NULL OR %s NOT IN".formatted(key.of(T), text))
                    .addList(find.skippedKeys())
                    .add(")");
        }
        if (find.ordering() == Ordering.PER_KEY && remembersRetries()) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s = %s AND %s)"
                    .formatted(columns.table(), key.of("w"), key.of(T), conditions.waiting("w")));
        }
    }

    private String selectHeads(String hint) {
        return heads.select(columns.table(), "") + hint;
    }

    private String idHint() {
        return database().isPostgres()
                ? ""
                : " FORCE INDEX (%s)".formatted(database().quote(columns.idIndex()));
    }

    @Override
    public Map<RowKey, Body> bodies(Connection connection, Collection<RowKey> keys) throws SQLException {
        Map<RowKey, Body> bodies = new HashMap<>();
        String headers = columns.find(Role.HEADERS)
                .map(column -> ", %s AS headers".formatted(column.readable(T)))
                .orElse("");
        String sql = "SELECT %s AS row_key, %s AS payload%s FROM %s t%s WHERE %s IN"
                .formatted(
                        columns.id().of(T),
                        columns.payload().readable(T),
                        headers,
                        columns.table(),
                        idHint(),
                        columns.id().of(T));
        for (List<RowKey> some : RowKey.chunks(List.copyOf(keys))) {
            Sql.of(sql)
                    .addList(RowKey.parameters(some))
                    .list(connection, row -> bodies.put(heads.key(row, "row_key"), messages.body(row)));
        }
        return bodies;
    }

    @Override
    public OutboxMessage message(Head head, Body body) {
        return messages.message(head, body);
    }

    // Outcomes.

    @Override
    public void apply(Connection connection, List<Outcome> outcomes, Optional<String> token) throws SQLException {
        List<RowKey> delivered = outcomes.stream()
                .filter(Outcome.Delivered.class::isInstance)
                .map(Outcome::key)
                .toList();
        for (List<RowKey> some : RowKey.chunks(delivered)) {
            deliver(connection, some);
        }
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Failed failed) {
                fail(connection, failed, token);
            } else if (outcome instanceof Outcome.Dead dead) {
                bury(connection, dead, token);
            }
        }
    }

    /** Needs no fence: what was delivered was delivered, whoever has claimed it by now. */
    private void deliver(Connection connection, List<RowKey> keys) throws SQLException {
        if (columns.mapping().deliveredTable.isPresent()) {
            moves.toDelivered(connection, RowKey.parameters(keys));
        } else if (columns.mapping().deletesDelivered) {
            columns.whereId(Sql.of(columns.deleteById()), keys).update(connection);
        } else {
            Assignments marks = new Assignments(columns).now(Role.DELIVERED).nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.flatMap(StatusValues::delivered).ifPresent(marks::status);
            if (columns.mapping().clearsError) {
                marks.nothing(Role.LAST_ERROR);
            }
            columns.whereId(marks.update(), keys).update(connection);
        }
    }

    private void fail(Connection connection, Outcome.Failed failed, Optional<String> token) throws SQLException {
        Assignments marks = new Assignments(columns)
                .attempts(failed.attempts())
                .error(failed.error())
                .nowPlus(Role.NEXT_ATTEMPT, failed.delay())
                .now(Role.LAST_ATTEMPT)
                .nothing(Role.CLAIMED_UNTIL);
        columns.mapping().status.ifPresent(values -> marks.status(values.retry().orElse(values.pending())));
        if (!marks.isEmpty()) {
            claims.fenced(columns.whereId(marks.update(), List.of(failed.key())).add(stillAlive()), token)
                    .update(connection);
        }
    }

    /** A row that somebody else has delivered or given up meanwhile must not come back to life. */
    private String stillAlive() {
        return "AND " + conditions.alive("");
    }

    private void bury(Connection connection, Outcome.Dead dead, Optional<String> token) throws SQLException {
        int attempts =
                Math.max(dead.attempts(), columns.mapping().deadAtAttempts.orElse(0));
        Assignments marks = new Assignments(columns)
                .attempts(attempts)
                .error(dead.text())
                .now(Role.LAST_ATTEMPT)
                .nothing(Role.CLAIMED_UNTIL);
        columns.mapping()
                .status
                .flatMap(values -> values.dead().or(values::retry))
                .ifPresent(marks::status);
        List<RowKey> key = List.of(dead.key());
        boolean isOurs = marks.isEmpty()
                || claims.fenced(columns.whereId(marks.update(), key).add(stillAlive()), token)
                                .update(connection)
                        > 0;
        if (isOurs && columns.mapping().deadTable.isPresent()) {
            moves.toDead(connection, RowKey.parameters(key));
        }
    }

    @Override
    public void buryKey(Connection connection, String key, String error) throws SQLException {
        List<RowKey> rows = Sql.of(
                        "SELECT %s AS row_key FROM %s t WHERE %s AND %s = ?"
                                .formatted(
                                        columns.id().of(T),
                                        columns.table(),
                                        conditions.alive(T),
                                        heads.asText(columns.byRole().get(Role.KEY))),
                        key)
                .list(connection, row -> heads.key(row, "row_key"));
        for (RowKey row : rows) {
            bury(connection, new Outcome.Dead(row, 0, DeadReason.KEY_BURIED, error), Optional.empty());
        }
    }

    @Override
    public boolean remembersRetries() {
        return columns.has(Role.ATTEMPTS) && (columns.has(Role.NEXT_ATTEMPT) || columns.has(Role.LAST_ATTEMPT));
    }

    @Override
    public boolean remembersDead() {
        return conditions.knowsDead();
    }

    /** Nothing to move: a failed row stays where it is. */
    @Override
    public int releaseDue(Connection connection, int limit) {
        return 0;
    }

    @Override
    public Optional<Duration> nextDue(Connection connection) {
        return Optional.empty();
    }

    // Operators and maintenance.

    /** A blocked row waits for years: no other does. */
    @Override
    public int unblock(Connection connection, Optional<String> key) throws SQLException {
        Optional<Column> due = columns.find(Role.NEXT_ATTEMPT);
        if (due.isEmpty()) {
            return 0;
        }
        Sql sql = new Assignments(columns)
                .attempts(0)
                .now(Role.NEXT_ATTEMPT)
                .update()
                .add(
                        "WHERE %s > %s AND %s"
                                .formatted(due.get().sql(), due.get().nowPlusMicros(), conditions.alive("")),
                        Micros.of(ExistingSettlements.BLOCKED.dividedBy(2)));
        Optional<Column> keyColumn = columns.find(Role.KEY);
        if (key.isPresent() && keyColumn.isPresent()) {
            sql.add("AND %s = ?".formatted(heads.asText(keyColumn.get(), "")), key.get());
        }
        return sql.update(connection);
    }

    @Override
    public boolean deadStaysInPlace() {
        return columns.mapping().deadTable.isEmpty();
    }

    private String deadTable() {
        return columns.mapping().deadTable.map(table -> table.sql(database())).orElse(columns.table());
    }

    @Override
    public List<DeadRow> dead(Connection connection, Optional<RowKey> after, int limit) throws SQLException {
        Optional<Column> since = columns.find(Role.LAST_ATTEMPT).or(() -> columns.find(Role.CREATED));
        String more = since.map(column -> ", COALESCE(%s, 0) AS dead_for".formatted(column.ageInSeconds(column.of(T))))
                        .orElse(", 0 AS dead_for")
                + columns.find(Role.LAST_ERROR)
                        .map(column -> ", %s AS %s".formatted(column.of(T), Texts.ERROR))
                        .orElse("");
        Sql sql = Sql.of(heads.select(deadTable(), more)).add("WHERE " + conditions.dead(T));
        after.ifPresent(key -> sql.add("AND " + columns.id().of(T) + " > ?", key.parameter()));
        return sql.add("ORDER BY " + columns.id().of(T)).add("LIMIT ?", limit).list(connection, row -> {
            Head head = heads.head(row);
            if (columns.has(Role.LAST_ERROR)) {
                HeadQuery.put(head.texts(), row, Texts.ERROR);
            }
            return new DeadRow(head, Times.seconds(row, "dead_for"));
        });
    }

    @Override
    public int retryDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            if (columns.mapping().deadTable.isPresent()) {
                moves.fromDead(connection, RowKey.parameters(some));
            }
            Assignments anew =
                    new Assignments(columns).attempts(0).now(Role.NEXT_ATTEMPT).nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.ifPresent(values -> anew.status(values.pending()));
            String isDead = columns.mapping().deadTable.isPresent() ? "" : "AND " + conditions.dead("");
            count += columns.whereId(anew.update(), some).add(isDead).update(connection);
        }
        return count;
    }

    @Override
    public int discardDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            count += columns.whereId(Sql.of("DELETE FROM " + deadTable()), some)
                    .add("AND " + conditions.dead(""))
                    .update(connection);
        }
        return count;
    }

    @Override
    public Counts count(Connection connection, int atMost) throws SQLException {
        String age = columns.find(Role.CREATED)
                .map(column -> column.ageInSeconds("MIN(%s)".formatted(column.of(T))))
                .orElse("0");
        Duration oldest = Sql.of("SELECT COALESCE(%s, 0) AS age FROM %s t WHERE %s"
                        .formatted(age, columns.table(), conditions.alive(T)))
                .first(connection, row -> Times.seconds(row, "age"))
                .orElse(Duration.ZERO);
        return new Counts(
                count(connection, columns.table(), conditions.alive(T), atMost),
                count(connection, columns.table(), conditions.waiting(T), atMost),
                remembersDead() ? count(connection, deadTable(), conditions.dead(T), atMost) : 0,
                oldest);
    }

    private static long count(Connection connection, String table, String condition, int atMost) throws SQLException {
        return Sql.of(
                        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s t WHERE %s LIMIT ?) c"
                                .formatted(table, condition),
                        atMost)
                .first(connection, row -> row.getLong(1))
                .orElse(0L);
    }

    @Override
    public int deleteDelivered(Connection connection, Duration age, int limit) throws SQLException {
        return moves.deleteDelivered(connection, Micros.of(age), limit);
    }

    @Override
    public int deleteDead(Connection connection, Duration age, int limit) throws SQLException {
        return moves.deleteDead(connection, Micros.of(age), limit);
    }
}
