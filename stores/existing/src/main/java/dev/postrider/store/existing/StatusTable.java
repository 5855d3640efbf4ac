package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One table whose rows say how far they are. */
final class StatusTable implements Rows {

    private static final String T = "t";

    private final TableColumns columns;
    private final Conditions conditions;
    private final HeadQuery heads;
    private final ClaimColumn claims;
    private final MessageMaker messages;
    private final RowMoves moves;
    private final StatusFinder finder;
    private final StatusOutcomes outcomes;
    private final StatusGraveyard graveyard;
    private final StatusCounts counts;
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
        this.counts = new StatusCounts(columns, conditions, heads, graveyard);
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
    public List<Candidate> candidates(Connection connection, RowQuery find, long smallBytes) throws SQLException {
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
        return WholeRow.of(head, () -> messages.message(head, body));
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

    @Override
    public Map<DeadReason, Long> deadByReason(Connection connection, int atMost) throws SQLException {
        return counts.deadByReason(connection, atMost);
    }

    @Override
    public Counts count(Connection connection, int atMost) throws SQLException {
        return counts.count(connection, atMost);
    }

    @Override
    public Map<String, RowCount> countsByStatus(Connection connection, int atMost) throws SQLException {
        return counts.byStatus(connection, atMost);
    }

    @Override
    public Optional<Duration> newestAge(Connection connection) throws SQLException {
        return counts.newestAge(connection);
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
