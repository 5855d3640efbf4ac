package dev.postrider.store.mysql;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.RowMapper;
import dev.postrider.store.jdbc.SqlList;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The reads of the scan. None of them locks anything, and every one names the primary key as its index: a planner that
 * believes the table to be empty would read it whole.
 */
final class HotTable {

    /** In place of a lane, in the row that tells about the server. */
    private static final int SERVER_ROW = -1;

    /** MariaDB turns lists of a thousand values into a join. */
    private static final int SEQS_PER_STATEMENT = 500;

    /**
     * What a fetch sends, in four parts: a row about the server; then, where there are any, the seqs of numbers that are looked up by
     * themselves and those up to the highest known one; then the rows above. In braces: {@code {hot}} and {@code {held}} are tables,
     * {@code {wanted}} leaves out lanes and topics.
     */
    private static final String ABOUT_SERVER = """
            SELECT %d AS lane, {start_seconds} AS seq, NULL AS id, NULL AS topic, {server} AS message_key, {lock_waits} AS type,
                   NULL AS content_type, UTC_TIMESTAMP(6) AS created_at, {lock_wait_seconds} AS payload_bytes, NULL AS payload,
                   NULL AS headers_bytes, NULL AS headers, NULL AS foreign_id, {read_only} AS complete, NULL AS key_held {status}""".formatted(SERVER_ROW);

    private static final String LOOKED_UP_SEQS = """

            UNION ALL
            (SELECT n.lane, n.seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {hot} n FORCE INDEX (PRIMARY) WHERE ({ranges}){wanted} ORDER BY n.seq LIMIT ?)""";

    private static final String KNOWN_SEQS = """

            UNION ALL
            (SELECT n.lane, n.seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {hot} n FORCE INDEX (PRIMARY) WHERE n.seq > ? AND n.seq <= ?{wanted} ORDER BY n.seq LIMIT ?)""";

    private static final String NEXT_ROWS = """

            UNION ALL
            (SELECT {columns}
             FROM {hot} h FORCE INDEX (PRIMARY) WHERE h.seq > ?{wanted} ORDER BY h.seq LIMIT ?)""";

    /** Headers and payload only of small rows: what larger ones take must be known before they are read. */
    private static final String COLUMNS = """
            h.lane, h.seq, h.id, h.topic, h.message_key, h.type, h.content_type, {created_at} AS created_at,
            OCTET_LENGTH(h.payload) AS payload_bytes, CASE WHEN {is_small} THEN h.payload END AS payload,
            OCTET_LENGTH(h.headers) AS headers_bytes, CASE WHEN {is_small} THEN h.headers END AS headers, h.foreign_id,
            {is_small} AS complete, {key_held} AS key_held""";

    private static final String IS_SMALL = "OCTET_LENGTH(h.payload) + COALESCE(OCTET_LENGTH(h.headers), 0) <= %d";

    private static final String KEY_HELD = """
            EXISTS (SELECT 1 FROM {held} d FORCE INDEX ({held_by_key})
                    WHERE d.lane = h.lane AND d.message_key = h.message_key)""";

    private final JdbcContext context;
    private final ServerIdentity identity;
    private final NextNumber nextNumber;
    private final Optional<TidbTransactions> transactions;
    private final Isolation dirty;
    private final MessageReader reader;
    private final String hot;

    HotTable(JdbcContext context, Flavor flavor) {
        this.context = context;
        this.identity = ServerIdentity.of(flavor);
        this.nextNumber = new NextNumber(context.tables().hot(), flavor);
        this.transactions = flavor == Flavor.TIDB
                ? Optional.of(new TidbTransactions(context.tables().hot()))
                : Optional.empty();
        this.dirty = flavor.lowestIsolation();
        this.reader = new MessageReader(context.dialect(), context.limits());
        this.hot = context.tables().hot() + " %s FORCE INDEX (PRIMARY)";
    }

    /** What the server says about itself. */
    ServerMoment moment(ReadSession session) throws SQLException {
        return session.list(Isolation.READ_COMMITTED, serverRow(true), statement -> {}, this::moment)
                .get(0);
    }

    /** When transactions that may have drawn numbers began; empty where the server does not say. */
    Optional<TransactionStarts> transactionStarts(ReadSession session) {
        return transactions.flatMap(open -> open.starts(session));
    }

    /** Which number the next row will get; empty if the server does not say. */
    OptionalLong nextNumber(ReadSession session) throws SQLException {
        return nextNumber.read(session);
    }

    /**
     * One statement, hence one snapshot: who the server is, the seqs up to the highest known one, and the rows above.
     *
     * @param inlineBytes headers and payload together of a row that is to be read along
     */
    HotPage page(ReadSession session, PageRequest request) throws SQLException {
        List<ServerMoment> moment = new ArrayList<>();
        List<Long> known = new ArrayList<>();
        List<HotRow> rows = new ArrayList<>();
        session.list(Isolation.READ_COMMITTED, pageSql(request), statement -> bindPage(statement, request), row -> {
            if (row.getInt("lane") == SERVER_ROW) {
                return moment.add(moment(row));
            }
            row.getInt("complete");
            return row.wasNull() ? known.add(row.getLong("seq")) : rows.add(hotRow(row));
        });
        return new HotPage(moment.get(0), known, rows);
    }

    String pageSql(PageRequest request) {
        StringBuilder sql = new StringBuilder(serverRow(request.asksForStart()));
        if (!request.alone().isEmpty()) {
            sql.append(LOOKED_UP_SEQS
                    .replace("{ranges}", inRanges(request.alone()))
                    .replace("{wanted}", request.selection().sql("n")));
        }
        if (request.knownUpTo() > request.after()) {
            sql.append(KNOWN_SEQS.replace("{wanted}", request.selection().sql("n")));
        }
        sql.append(NEXT_ROWS
                .replace("{columns}", columns(request.inlineBytes()))
                .replace("{wanted}", request.selection().sql("h")));
        return sql.toString().replace("{hot}", context.tables().hot().toString());
    }

    private static String inRanges(List<NumberRange> ranges) {
        return String.join(" OR ", Collections.nCopies(ranges.size(), "n.seq BETWEEN ? AND ?"));
    }

    private static void bindRanges(SqlStatement statement, List<NumberRange> ranges) throws SQLException {
        for (NumberRange range : ranges) {
            statement.with(range.from()).with(range.to());
        }
    }

    static void bindPage(SqlStatement statement, PageRequest request) throws SQLException {
        if (!request.alone().isEmpty()) {
            bindRanges(statement, request.alone());
            request.selection().bind(statement);
            statement.with(request.knownLimit());
        }
        if (request.knownUpTo() > request.after()) {
            statement.with(request.after()).with(request.knownUpTo());
            request.selection().bind(statement);
            statement.with(request.knownLimit());
        }
        statement.with(request.knownUpTo());
        request.selection().bind(statement);
        statement.with(request.rowLimit());
    }

    /** As a row of {@link #columns}, so that it can stand in front of them. */
    private String serverRow(boolean withStart) {
        return ABOUT_SERVER
                .replace("{start_seconds}", withStart ? identity.startSeconds() : "NULL")
                .replace("{server}", identity.server())
                .replace("{lock_waits}", withStart ? identity.lockWaits() : "NULL")
                .replace("{lock_wait_seconds}", withStart ? identity.lockWaitSeconds() : "NULL")
                .replace("{read_only}", identity.readOnly())
                .replace("{status}", withStart ? identity.status() : "");
    }

    private ServerMoment moment(ResultSet row) throws SQLException {
        long start = row.getLong("seq");
        OptionalLong startedAt = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(start);
        return new ServerMoment(
                row.getString("message_key"),
                startedAt,
                lockWaits(row),
                row.getInt("complete") != 0,
                context.dialect().getInstant(row, row.findColumn("created_at")));
    }

    /** MySQL's count is a signed one that is shown without its sign. */
    private static Optional<RowLockWaits> lockWaits(ResultSet row) throws SQLException {
        Duration timeout = Duration.ofSeconds(row.getLong("payload_bytes"));
        return Optional.ofNullable(row.getString("type"))
                .map(count -> new RowLockWaits(Long.parseUnsignedLong(count), timeout));
    }

    private String columns(long inlineBytes) {
        return COLUMNS.replace("{is_small}", IS_SMALL.formatted(inlineBytes))
                .replace("{created_at}", context.dialect().possibleTime("h.created_at"))
                .replace("{key_held}", keyHeld());
    }

    private String keyHeld() {
        return KEY_HELD.replace("{held}", context.tables().held().toString())
                .replace(
                        "{held_by_key}",
                        context.dialect()
                                .quote(context.tables().named("_held_by_key").name()));
    }

    private HotRow hotRow(ResultSet row) throws SQLException {
        long bytes = row.getLong("payload_bytes");
        boolean complete = row.getBoolean("complete");
        return new HotRow(
                row.getLong("seq"),
                bytes <= context.limits().maxPayloadBytes() ? bytes : 0,
                complete ? Optional.of(outboxRow(row)) : Optional.empty());
    }

    private OutboxRow outboxRow(ResultSet row) throws SQLException {
        return reader.read(row).hot(row.getBoolean("key_held") ? KeyState.HELD : KeyState.FREE);
    }

    /** The rows with these seqs that still exist, in order. Rows never change, so a later snapshot is as good. */
    List<HotRow> rows(ReadSession session, List<Long> seqs, long inlineBytes) throws SQLException {
        return bySeq(session, seqs, columns(inlineBytes), this::hotRow);
    }

    /** The rows with these seqs that still exist, in order, with their content unless it is over the limits. */
    List<OutboxRow> contents(ReadSession session, List<Long> seqs) throws SQLException {
        return bySeq(session, seqs, reader.columns("h") + ", " + keyHeld() + " AS key_held", this::outboxRow);
    }

    private <T> List<T> bySeq(ReadSession session, List<Long> seqs, String columns, RowMapper<T> mapper)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        for (List<Long> chunk : SqlList.chunks(seqs, SEQS_PER_STATEMENT)) {
            String sql = "SELECT %s FROM %s WHERE h.seq IN (%s) ORDER BY h.seq"
                    .formatted(columns, hot.formatted("h"), SqlList.of("?", chunk.size()));
            rows.addAll(session.list(Isolation.READ_COMMITTED, sql, statement -> bindAll(statement, chunk), mapper));
        }
        return rows;
    }

    private static void bindAll(SqlStatement statement, List<Long> seqs) throws SQLException {
        for (long seq : seqs) {
            statement.with(seq);
        }
    }

    /**
     * The seqs in a range, of all lanes, also of transactions that have not ended; and the highest seq of all, if it lies
     * above the range. Takes no lock: a lock would turn the writers' own into gap locks and stop them all.
     */
    List<Long> dirtySeqs(ReadSession session, long after, long upTo, int limit) throws SQLException {
        String sql = """
                (SELECT n.seq FROM %1$s WHERE n.seq > ? AND n.seq <= ? ORDER BY n.seq LIMIT ?)
                UNION ALL
                (SELECT n.seq FROM %1$s WHERE n.seq > ? ORDER BY n.seq DESC LIMIT 1)""".formatted(hot.formatted("n"));
        return session.list(
                dirty,
                sql,
                statement -> statement.with(after).with(upTo).with(limit).with(Math.max(after, upTo)),
                row -> row.getLong("seq"));
    }

    /** Those of some seqs that exist, also of transactions that have not ended. */
    List<Long> dirtySeqs(ReadSession session, List<NumberRange> ranges, int limit) throws SQLException {
        String sql = "SELECT n.seq FROM %s WHERE %s ORDER BY n.seq LIMIT %d"
                .formatted(hot.formatted("n"), inRanges(ranges), limit);
        return session.list(dirty, sql, statement -> bindRanges(statement, ranges), row -> row.getLong("seq"));
    }

    /** The committed rows with some numbers, of all lanes. */
    List<RowRef> refs(ReadSession session, List<NumberRange> ranges) throws SQLException {
        String sql = "SELECT n.lane, n.seq, n.id FROM %s WHERE %s".formatted(hot.formatted("n"), inRanges(ranges));
        return session.list(Isolation.READ_COMMITTED, sql, statement -> bindRanges(statement, ranges), reader::ref);
    }

    /** The committed rows in a range, of all lanes. */
    List<SeenRow> committed(ReadSession session, long after, long upTo, Set<String> excludedTopics, int limit)
            throws SQLException {
        String excluded =
                excludedTopics.isEmpty() ? "FALSE" : "n.topic IN (" + SqlList.of("?", excludedTopics.size()) + ")";
        String sql =
                "SELECT n.seq, n.lane, %s AS excluded FROM %s WHERE n.seq > ? AND n.seq <= ? ORDER BY n.seq LIMIT ?"
                        .formatted(excluded, hot.formatted("n"));
        return session.list(
                Isolation.READ_COMMITTED,
                sql,
                statement -> statement
                        .withTexts(excludedTopics)
                        .with(after)
                        .with(upTo)
                        .with(limit),
                row -> new SeenRow(row.getLong("seq"), row.getInt("lane"), row.getBoolean("excluded")));
    }

    /** Seqs only; reads over the rows of other lanes, which the relay does rarely and sparingly. */
    long[] sweep(ReadSession session, int lane, Set<String> excludedTopics, Duration minAge, int limit)
            throws SQLException {
        String except =
                excludedTopics.isEmpty() ? "" : " AND n.topic NOT IN (" + SqlList.of("?", excludedTopics.size()) + ")";
        String sql = "SELECT n.seq FROM %s WHERE n.lane = ? AND n.created_at <= %s%s ORDER BY n.seq LIMIT ?"
                .formatted(hot.formatted("n"), context.dialect().nowPlusMicros(), except);
        return session
                .list(
                        Isolation.READ_COMMITTED,
                        sql,
                        statement -> statement
                                .with(lane)
                                .with(minAge.negated())
                                .withTexts(excludedTopics)
                                .with(limit),
                        row -> row.getLong("seq"))
                .stream()
                .mapToLong(Long::longValue)
                .toArray();
    }
}
