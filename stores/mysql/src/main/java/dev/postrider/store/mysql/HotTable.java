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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The reads of the scan. None of them locks anything, and every one names the primary key as its index: a planner that
 * believes the table to be empty would read it whole.
 */
final class HotTable {

    /** MariaDB turns lists of a thousand values into a join. */
    private static final int SEQS_PER_STATEMENT = 500;

    private final JdbcContext context;
    private final NextNumber nextNumber;
    private final Optional<TidbTransactions> transactions;
    private final Isolation dirty;
    private final MessageReader reader;
    private final FetchSql fetchSql;
    private final String hot;

    HotTable(JdbcContext context, Flavor flavor) {
        this.context = context;
        this.nextNumber = new NextNumber(context.tables().hot(), flavor);
        this.transactions = flavor == Flavor.TIDB
                ? Optional.of(new TidbTransactions(context.tables().hot()))
                : Optional.empty();
        this.dirty = flavor.lowestIsolation();
        this.reader = new MessageReader(context.dialect(), context.limits());
        this.fetchSql = new FetchSql(context, reader, flavor);
        this.hot = context.tables().hot() + " %s FORCE INDEX (PRIMARY)";
    }

    /** What the server says about itself. */
    ServerMoment moment(ReadSession session) throws SQLException {
        return session.list(Isolation.READ_COMMITTED, fetchSql.server(true), statement -> {}, this::moment)
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
            if (row.getInt("lane") == FetchSql.SERVER_ROW) {
                return moment.add(moment(row));
            }
            row.getInt("complete");
            return row.wasNull() ? known.add(row.getLong("seq")) : rows.add(hotRow(row));
        });
        return new HotPage(moment.get(0), known, rows);
    }

    String pageSql(PageRequest request) {
        return fetchSql.page(request);
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
        return bySeq(session, seqs, count -> fetchSql.rows(count, inlineBytes), this::hotRow);
    }

    /** The rows with these seqs that still exist, in order, with their content unless it is over the limits. */
    List<OutboxRow> contents(ReadSession session, List<Long> seqs) throws SQLException {
        return bySeq(session, seqs, fetchSql::contents, this::outboxRow);
    }

    private static <T> List<T> bySeq(ReadSession session, List<Long> seqs, IntFunction<String> sql, RowMapper<T> mapper)
            throws SQLException {
        List<T> rows = new ArrayList<>();
        for (List<Long> chunk : SqlList.chunks(seqs, SEQS_PER_STATEMENT)) {
            rows.addAll(session.list(
                    Isolation.READ_COMMITTED, sql.apply(chunk.size()), statement -> bindAll(statement, chunk), mapper));
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
                .formatted(hot.formatted("n"), FetchSql.ranges(ranges), limit);
        return session.list(dirty, sql, statement -> bindRanges(statement, ranges), row -> row.getLong("seq"));
    }

    /** The committed rows with some numbers, of all lanes. */
    List<RowRef> refs(ReadSession session, List<NumberRange> ranges) throws SQLException {
        String sql =
                "SELECT n.lane, n.seq, n.id FROM %s WHERE %s".formatted(hot.formatted("n"), FetchSql.ranges(ranges));
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
