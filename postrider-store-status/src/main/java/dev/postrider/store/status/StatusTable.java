package dev.postrider.store.status;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.store.jdbc.Micros;
import dev.postrider.store.status.Head.Texts;
import dev.postrider.store.status.TableMapping.Role;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One table whose rows say how far they are.
 *
 * <p>Finding locks at most the rows it returns. PostgreSQL locks row by row as the limit asks for them. MySQL and MariaDB lock
 * what they read, the whole backlog where they have to sort, so there candidates are read without locks, and then locked by
 * their keys under the same condition.
 */
final class StatusTable implements Rows {

    private static final String T = "t";
    private static final int KEYS_PER_STATEMENT = 100;
    private static final int MOST_CANDIDATES = 20_000;

    private final TableColumns columns;
    private final Conditions conditions;
    private final MessageMaker messages;
    private final RowMoves moves;
    private final Optional<Duration> window;

    StatusTable(TableColumns columns, Optional<Duration> window, Optional<TablePath> archive) {
        this.columns = columns;
        this.conditions = new Conditions(columns);
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
        sql.add(order()).add("LIMIT ?", find.limit());
        if (find.locks()) {
            // Row by row: those that others have locked belong to them for now.
            sql.add("FOR UPDATE OF t SKIP LOCKED");
        }
        return sql.list(connection, this::head);
    }

    @Override
    public List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        Sql sql = Sql.of(selectHeads("")).add("WHERE").add(conditions.alive(T)).add("AND " + conditions.unclaimed(T));
        for (List<RowKey> some : chunks(List.copyOf(skipped))) {
            sql.add("AND " + columns.id().of(T) + " NOT IN").addList(parameters(some));
        }
        return sql.add(order()).add("LIMIT ? FOR UPDATE", limit).list(connection, this::head);
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
            List<RowKey> keys =
                    sql.add(order()).add("LIMIT ?", candidates).list(connection, row -> key(row, "row_key"));
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
        for (List<RowKey> some : chunks(keys)) {
            if (locked.size() >= limit) {
                break;
            }
            locked.addAll(Sql.of(selectHeads(idHint()))
                    .add("WHERE " + columns.id().of(T) + " IN")
                    .addList(parameters(some))
                    .add("AND " + conditions.alive(T))
                    .add("AND " + conditions.due(T))
                    .add(order())
                    .add("LIMIT ? FOR UPDATE SKIP LOCKED", limit - locked.size())
                    .list(connection, this::head));
        }
        return locked;
    }

    private void addFilters(Sql sql, Find find) {
        addTopics(sql, find);
        for (List<RowKey> some : chunks(List.copyOf(find.skipped()))) {
            sql.add("AND " + columns.id().of(T) + " NOT IN").addList(parameters(some));
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
            String text = asText(key);
            sql.add("AND (%s IS NULL OR %s NOT IN".formatted(key.of(T), text))
                    .addList(find.skippedKeys())
                    .add(")");
        }
        if (find.ordering() == Ordering.PER_KEY && remembersRetries()) {
            sql.add("AND NOT EXISTS (SELECT 1 FROM %s w WHERE %s = %s AND %s)"
                    .formatted(columns.table(), key.of("w"), key.of(T), conditions.waiting("w")));
        }
    }

    private String asText(Column column) {
        return asText(column, T);
    }

    private String asText(Column column, String alias) {
        return "CAST(%s AS %s)".formatted(column.of(alias), database().isPostgres() ? "text" : "CHAR");
    }

    private String selectHeads(String hint) {
        return select(columns.table(), "") + hint;
    }

    private String idHint() {
        return database().isPostgres()
                ? ""
                : " FORCE INDEX (%s)".formatted(database().quote(columns.idIndex()));
    }

    /** All that is small, and the age of the row by the database's clock. */
    private String select(String table, String more) {
        List<String> parts = new ArrayList<>();
        parts.add(columns.id().of(T) + " AS row_key");
        columns.find(Role.MESSAGE_ID).ifPresent(column -> parts.add(column.of(T) + " AS message_id"));
        columns.find(Role.KEY).ifPresent(column -> parts.add(asText(column) + " AS message_key"));
        columns.find(Role.AGGREGATE_TYPE).ifPresent(column -> parts.add(column.of(T) + " AS " + Texts.AGGREGATE_TYPE));
        parts.add(columns.sql(columns.mapping().type, T) + " AS " + Texts.TYPE);
        parts.add(columns.sql(columns.topic(), T) + " AS " + Texts.TOPIC);
        columns.mapping().contentType.ifPresent(text -> parts.add(columns.sql(text, T) + " AS " + Texts.CONTENT_TYPE));
        parts.add(conditions.attempts(T) + " AS attempts");
        parts.add(columns.find(Role.CREATED)
                        .map(column -> column.ageInSeconds(column.of(T)))
                        .orElse("0")
                + " AS age");
        parts.add((database().isPostgres() ? "EXTRACT(EPOCH FROM statement_timestamp())" : "UNIX_TIMESTAMP(NOW(6))")
                + " AS database_time");
        parts.add("COALESCE(%s, 0)%s AS row_bytes"
                .formatted(
                        columns.payload().length(T),
                        columns.find(Role.HEADERS)
                                .map(column -> " + COALESCE(%s, 0)".formatted(column.length(T)))
                                .orElse("")));
        return "SELECT %s%s FROM %s t".formatted(String.join(", ", parts), more, table);
    }

    private Head head(ResultSet row) throws SQLException {
        RowKey key = key(row, "row_key");
        Map<String, String> texts = new HashMap<>();
        put(texts, row, Texts.TOPIC);
        put(texts, row, Texts.TYPE);
        if (columns.has(Role.AGGREGATE_TYPE)) {
            put(texts, row, Texts.AGGREGATE_TYPE);
        }
        if (columns.mapping().contentType.isPresent()) {
            put(texts, row, Texts.CONTENT_TYPE);
        }
        return new Head(
                key,
                idOf(row, key),
                columns.has(Role.KEY) ? Optional.ofNullable(row.getString("message_key")) : Optional.empty(),
                row.getInt("attempts"),
                Times.before(row, "database_time", "age"),
                Times.of(row, "database_time"),
                texts,
                row.getLong("row_bytes"));
    }

    private MessageId idOf(ResultSet row, RowKey key) throws SQLException {
        if (columns.has(Role.MESSAGE_ID) && row.getObject("message_id") != null) {
            return RowKey.read(
                            row,
                            "message_id",
                            columns.byRole().get(Role.MESSAGE_ID).kind())
                    .messageId(name());
        }
        return key.messageId(name());
    }

    private static void put(Map<String, String> texts, ResultSet row, String name) throws SQLException {
        String text = row.getString(name);
        if (text != null) {
            texts.put(name, text);
        }
    }

    private RowKey key(ResultSet row, String label) throws SQLException {
        return RowKey.read(row, label, columns.id().kind());
    }

    private String order() {
        return "ORDER BY "
                + columns.mapping().order.stream()
                        .map(name -> columns.byName().get(name).of(T))
                        .collect(Collectors.joining(", "));
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
        for (List<RowKey> some : chunks(List.copyOf(keys))) {
            Sql.of(sql)
                    .addList(parameters(some))
                    .list(connection, row -> bodies.put(key(row, "row_key"), messages.body(row)));
        }
        return bodies;
    }

    @Override
    public OutboxMessage message(Head head, Body body) {
        return messages.message(head, body);
    }

    // Claims by a column.

    /** The end of a claim that begins now; the text tells it apart from every other claim of the same row. */
    String token(Connection connection, Duration length) throws SQLException {
        Column claim = columns.claim().orElseThrow();
        return Sql.of("SELECT " + claim.nowPlusSecondsAsText(), (int) length.toSeconds() + 1)
                .first(connection, row -> row.getString(1))
                .orElseThrow();
    }

    void claim(Connection connection, List<RowKey> keys, String token) throws SQLException {
        Assignments claim = new Assignments(columns).claim(token);
        columns.mapping().status.flatMap(StatusValues::sending).ifPresent(claim::status);
        for (List<RowKey> some : chunks(keys)) {
            where(claim.update(), some).update(connection);
        }
    }

    /** Returns how many of these rows are still claimed, now until the new token's time. */
    int prolong(Connection connection, List<RowKey> keys, String token, String newToken) throws SQLException {
        int prolonged = 0;
        for (List<RowKey> some : chunks(keys)) {
            Sql sql = where(new Assignments(columns).claim(newToken).update(), some);
            prolonged += fenced(sql, Optional.of(token)).update(connection);
        }
        return prolonged;
    }

    /** Makes rows free that are still claimed by this token; the number of their attempts stays. */
    void release(Connection connection, List<RowKey> keys, String token) throws SQLException {
        for (List<RowKey> some : chunks(keys)) {
            fenced(where(free().update(), some), Optional.of(token)).update(connection);
        }
    }

    private Assignments free() {
        Assignments free = new Assignments(columns);
        if (columns.has(Role.CLAIMED_UNTIL)) {
            free.nothing(Role.CLAIMED_UNTIL);
        } else {
            free.now(Role.NEXT_ATTEMPT);
        }
        columns.mapping().status.ifPresent(values -> free.status(values.pending()));
        return free;
    }

    private Sql where(Sql sql, List<RowKey> keys) {
        return sql.add("WHERE " + columns.id().sql() + " IN").addList(parameters(keys));
    }

    /** The end of a claim grows with each claim of a row, so it tells whether the row is still ours. */
    private Sql fenced(Sql sql, Optional<String> token) {
        token.ifPresent(text -> {
            Column claim = columns.claim().orElseThrow();
            sql.add("AND %s = %s".formatted(claim.sql(), claim.fromText()), text);
        });
        return sql;
    }

    // Outcomes.

    @Override
    public void apply(Connection connection, List<Outcome> outcomes, Optional<String> token) throws SQLException {
        List<RowKey> delivered = outcomes.stream()
                .filter(Outcome.Delivered.class::isInstance)
                .map(Outcome::key)
                .toList();
        for (List<RowKey> some : chunks(delivered)) {
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
            moves.toDelivered(connection, parameters(keys));
        } else if (columns.mapping().deletesDelivered) {
            where(Sql.of(columns.deleteById()), keys).update(connection);
        } else {
            Assignments marks = new Assignments(columns).now(Role.DELIVERED).nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.flatMap(StatusValues::delivered).ifPresent(marks::status);
            if (columns.mapping().clearsError) {
                marks.nothing(Role.LAST_ERROR);
            }
            where(marks.update(), keys).update(connection);
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
            fenced(where(marks.update(), List.of(failed.key())).add(stillAlive()), token)
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
                || fenced(where(marks.update(), key).add(stillAlive()), token).update(connection) > 0;
        if (isOurs && columns.mapping().deadTable.isPresent()) {
            moves.toDead(connection, parameters(key));
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
                                        asText(columns.byRole().get(Role.KEY))),
                        key)
                .list(connection, row -> key(row, "row_key"));
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
            sql.add("AND %s = ?".formatted(asText(keyColumn.get(), "")), key.get());
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
        Sql sql = Sql.of(select(deadTable(), more)).add("WHERE " + conditions.dead(T));
        after.ifPresent(key -> sql.add("AND " + columns.id().of(T) + " > ?", key.parameter()));
        return sql.add("ORDER BY " + columns.id().of(T)).add("LIMIT ?", limit).list(connection, row -> {
            Head head = head(row);
            if (columns.has(Role.LAST_ERROR)) {
                put(head.texts(), row, Texts.ERROR);
            }
            return new DeadRow(head, Times.seconds(row, "dead_for"));
        });
    }

    @Override
    public int retryDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : chunks(keys)) {
            if (columns.mapping().deadTable.isPresent()) {
                moves.fromDead(connection, parameters(some));
            }
            Assignments anew =
                    new Assignments(columns).attempts(0).now(Role.NEXT_ATTEMPT).nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.ifPresent(values -> anew.status(values.pending()));
            String isDead = columns.mapping().deadTable.isPresent() ? "" : "AND " + conditions.dead("");
            count += where(anew.update(), some).add(isDead).update(connection);
        }
        return count;
    }

    @Override
    public int discardDead(Connection connection, List<RowKey> keys) throws SQLException {
        int count = 0;
        for (List<RowKey> some : chunks(keys)) {
            count += where(Sql.of("DELETE FROM " + deadTable()), some)
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

    private static List<Object> parameters(List<RowKey> keys) {
        return keys.stream().map(RowKey::parameter).toList();
    }

    static List<List<RowKey>> chunks(List<RowKey> keys) {
        List<List<RowKey>> chunks = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += KEYS_PER_STATEMENT) {
            chunks.add(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_STATEMENT)));
        }
        return chunks;
    }
}
