package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.RowCount;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.Candidates.Candidate;
import dev.postrider.store.jdbc.Micros;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One table whose rows say how far they are. */
final class StatusTable implements Rows {

    private static final String T = "t";
    private static final int MOST_TRIED = 10_000;

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final ClaimColumn claims;
    private final MessageMaker messages;
    private final RowMoves moves;
    private final StatusFinder finder;
    private final StatusOutcomes outcomes;
    private final StatusGraveyard graveyard;
    private final StatusInsert insertion;
    private final String wholeRows;

    StatusTable(TableColumns columns, Optional<Duration> window, Optional<TablePath> archive) {
        this.columns = columns;
        this.conditions = new Conditions(columns);
        this.heads = new HeadQuery(columns, conditions);
        this.claims = new ClaimColumn(columns);
        this.messages = new MessageMaker(columns);
        this.moves = new RowMoves(columns, conditions, archive);
        this.finder = new StatusFinder(columns, conditions, heads, window);
        this.outcomes = new StatusOutcomes(columns, conditions, claims, moves);
        this.graveyard = new StatusGraveyard(columns, conditions, heads, moves);
        this.wholeRows = heads.selectWhole(columns.table());
        this.insertion = new StatusInsert(columns, messages.defaultContentType());
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

    StatusFinder finder() {
        return finder;
    }

    @Override
    public void insert(Connection connection, List<OutboxMessage> messages) throws SQLException {
        insertion.insert(connection, messages);
    }

    @Override
    public List<Candidate> candidates(Connection connection, RowQuery find) throws SQLException {
        return finder.candidates(find, find.limit()).list(connection, finder::candidate);
    }

    @Override
    public Map<RowKey, WholeRow> whole(Connection connection, List<RowKey> keys) throws SQLException {
        return byKey(finder.read(connection, keys, wholeRows, this::wholeRow));
    }

    @Override
    public List<Head> heads(Connection connection, List<RowKey> keys) throws SQLException {
        return finder.read(connection, keys, heads.select(columns.table(), ""), heads::head);
    }

    private WholeRow wholeRow(ResultSet row) throws SQLException {
        Head head = heads.head(row);
        Body body = messages.body(row);
        return new WholeRow(head, () -> messages.message(head, body));
    }

    private static Map<RowKey, WholeRow> byKey(List<WholeRow> rows) {
        Map<RowKey, WholeRow> byKey = new HashMap<>();
        rows.forEach(row -> byKey.put(row.head().key(), row));
        return byKey;
    }

    @Override
    public List<Head> undelivered(Connection connection, int limit, Collection<RowKey> skipped) throws SQLException {
        return finder.undelivered(connection, limit, skipped);
    }

    @Override
    public List<Head> after(Connection connection, Place place, Optional<RowKey> last, int limit) throws SQLException {
        return place == Place.PENDING ? finder.after(connection, last, limit) : List.of();
    }

    @Override
    public int returnWaiting(Connection connection, int limit) {
        return 0;
    }

    @Override
    public Map<RowKey, Body> bodies(Connection connection, Place place, Collection<RowKey> keys) throws SQLException {
        Map<RowKey, Body> bodies = new HashMap<>();
        String table = place == Place.GIVEN_UP ? graveyard.table() : columns.table();
        String sql = "SELECT %s AS row_key, %s FROM %s t%s WHERE %s IN"
                .formatted(
                        columns.id().of(T),
                        heads.largeColumns(),
                        table,
                        table.equals(columns.table()) ? columns.idHint() : "",
                        columns.id().of(T));
        for (List<RowKey> some : RowKey.chunks(List.copyOf(keys))) {
            Sql.of(sql)
                    .addList(RowKey.parameters(some))
                    .list(connection, row -> bodies.put(heads.key(row, "row_key"), messages.body(row)));
        }
        return bodies;
    }

    /** Locks those of these rows that are still to be relayed and that nobody else has, and reads them whole. */
    Map<RowKey, WholeRow> lock(Connection connection, List<RowKey> keys) throws SQLException {
        return byKey(finder.lock(connection, keys, wholeRows, this::wholeRow));
    }

    /** The same without what is large: of rows that are too large for that. */
    List<Head> lockHeads(Connection connection, List<RowKey> keys) throws SQLException {
        return finder.lock(connection, keys, heads.select(columns.table(), ""), heads::head);
    }

    @Override
    public OutboxMessage message(Head head, Body body) {
        return messages.message(head, body);
    }

    @Override
    public void apply(Connection connection, Map<RowKey, Outcome> settled, Optional<String> token) throws SQLException {
        outcomes.apply(connection, settled, token);
    }

    @Override
    public Set<RowKey> undeliveredAmong(Connection connection, List<RowKey> keys) throws SQLException {
        return finder.undeliveredAmong(connection, keys, "");
    }

    /** Marks as delivered what is not locked by others; returns those that are, and still undelivered. */
    Set<RowKey> deliverUnlocked(Connection connection, List<RowKey> keys) throws SQLException {
        Set<RowKey> left = finder.undeliveredAmong(connection, keys, "");
        Set<RowKey> locked = finder.undeliveredAmong(connection, List.copyOf(left), "FOR UPDATE SKIP LOCKED");
        outcomes.deliver(connection, List.copyOf(locked));
        left.removeAll(locked);
        return left;
    }

    @Override
    public boolean remembersRetries() {
        return columns.remembersRetries();
    }

    @Override
    public boolean remembersDead() {
        return conditions.knowsDead();
    }

    @Override
    public int maxSupportedAttempts() {
        return columns.mapping().deadAtAttempts().orElse(Integer.MAX_VALUE);
    }

    @Override
    public boolean remembersBlocks() {
        return columns.blockedBy().isPresent();
    }

    @Override
    public boolean hasWaitTable() {
        return false;
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

    @Override
    public int unblock(Connection connection, Optional<String> key) throws SQLException {
        return outcomes.unblock(connection, key);
    }

    @Override
    public void startAnew(Connection connection, List<RowKey> keys) throws SQLException {
        outcomes.startAnew(connection, keys);
    }

    @Override
    public List<DeadRow> dead(Connection connection, Optional<RowKey> after, int limit) throws SQLException {
        return graveyard.rows(connection, after, limit);
    }

    @Override
    public int retryDead(Connection connection, List<RowKey> keys) throws SQLException {
        return graveyard.retry(connection, keys);
    }

    @Override
    public int discardDead(Connection connection, List<RowKey> keys) throws SQLException {
        return graveyard.discard(connection, keys);
    }

    /**
     * Bounded whatever there is. What was tried is old, so those that wait, or were given up in place, are looked for among the oldest rows; all others
     * are counted by their status alone, which an index tells.
     */
    @Override
    public Counts count(Connection connection, int atMost) throws SQLException {
        boolean isDeadInPlace = conditions.isDeadByAttempts();
        RowCount open = tally(
                connection, columns.table(), isDeadInPlace ? conditions.undelivered(T) : conditions.alive(T), atMost);
        long dead = dead(connection, atMost);
        RowCount alive = isDeadInPlace ? new RowCount(Math.max(0, open.rows() - dead), open.isExact()) : open;
        return new Counts(
                alive,
                alive.rows() == 0 || !remembersRetries() ? 0 : amongOldest(connection, conditions.waiting(T)),
                dead,
                kept(connection, atMost),
                alive.rows() == 0 ? Duration.ZERO : oldestAge(connection));
    }

    private long dead(Connection connection, int atMost) throws SQLException {
        if (!remembersDead()) {
            return 0;
        }
        return conditions.isDeadByAttempts()
                ? amongOldest(connection, conditions.dead(T))
                : tally(connection, graveyard.table(), conditions.dead(T), atMost)
                        .rows();
    }

    @Override
    public Map<String, RowCount> countsByStatus(Connection connection, int atMost) throws SQLException {
        Map<String, RowCount> counts = new LinkedHashMap<>();
        for (String value : columns.mapping().status.map(StatusValues::all).orElse(List.of())) {
            String has = "%s = %s".formatted(columns.of(Role.STATUS).of(T), columns.status(value));
            counts.put(value, tally(connection, columns.table(), has, atMost));
        }
        return counts;
    }

    private long amongOldest(Connection connection, String condition) throws SQLException {
        String needed = Stream.of(
                        Role.STATUS,
                        Role.ATTEMPTS,
                        Role.DELIVERED,
                        Role.NEXT_ATTEMPT,
                        Role.LAST_ATTEMPT,
                        Role.CLAIMED_UNTIL)
                .flatMap(role -> columns.find(role).stream())
                .map(column -> column.of(T))
                .distinct()
                .collect(Collectors.joining(", "));
        long found = 0;
        for (String tried : conditions.triedByStatus(T)) {
            String oldest = "(SELECT %s FROM %s t WHERE %s %s LIMIT %d)"
                    .formatted(needed, columns.table(), tried, heads.order(), MOST_TRIED);
            found += tally(connection, oldest, condition, MOST_TRIED).rows();
        }
        return found;
    }

    private RowCount tally(Connection connection, String table, String condition, int atMost) throws SQLException {
        return Tally.of(connection, columns.database(), "%s t WHERE %s".formatted(table, condition), atMost);
    }

    private long kept(Connection connection, int atMost) throws SQLException {
        String table = columns.mapping()
                .deliveredTable
                .map(path -> path.sql(columns.database()))
                .orElse(columns.table());
        boolean isKept = !conditions.delivered(T).equals(Conditions.NEVER);
        return isKept
                ? tally(connection, table, conditions.delivered(T), atMost).rows()
                : 0;
    }

    /** Of the first row of each status, by the order in which rows are fetched: by their time alone all would be read. */
    private Duration oldestAge(Connection connection) throws SQLException {
        Duration oldest = Duration.ZERO;
        for (String alive : conditions.aliveByStatus(T)) {
            Duration age = firstAge(connection, alive, heads.order()).orElse(Duration.ZERO);
            oldest = age.compareTo(oldest) > 0 ? age : oldest;
        }
        return oldest;
    }

    @Override
    public Optional<Duration> newestAge(Connection connection) throws SQLException {
        String last = heads.order().replace(",", " DESC,") + " DESC";
        return firstAge(connection, conditions.alive(T), last);
    }

    private Optional<Duration> firstAge(Connection connection, String condition, String order) throws SQLException {
        Optional<Column> created = columns.find(Role.CREATED);
        return created.isEmpty()
                ? Optional.empty()
                : Sql.of("SELECT %s AS age FROM %s t WHERE %s %s LIMIT 1"
                                .formatted(
                                        created.get().ageInMicros(created.get().of(T)),
                                        columns.table(),
                                        condition,
                                        order))
                        .first(connection, row -> Times.span(row, "age"));
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
