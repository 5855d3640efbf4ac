package dev.postrider.store.postgres;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.Micros;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;
import dev.postrider.store.jdbc.TransactionLimits;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's part of the shared statements. */
final class PostgresDialect implements Dialect {

    private static final Set<String> TRANSIENT = Set.of(
            "40001", // serialization_failure
            "40P01", // deadlock_detected
            "55P03"); // lock_not_available

    private static final String UNIQUE_VIOLATION = "23505";

    /** The bytes of a text in UTF-8, each of which is a character to a database with encoding SQL_ASCII. */
    private static final String UTF_8 = "^([\\x01-\\x7f]|[\\xc2-\\xdf][\\x80-\\xbf]|\\xe0[\\xa0-\\xbf][\\x80-\\xbf]"
            + "|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}|\\xed[\\x80-\\x9f][\\x80-\\xbf]|\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}"
            + "|[\\xf1-\\xf3][\\x80-\\xbf]{3}|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2})*$";

    private final PayloadFormat payload;

    PostgresDialect(PayloadFormat payload) {
        this.payload = payload;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    /** The start of the transaction: stable, so that an index on a time can be used. */
    @Override
    public String now() {
        return "now()";
    }

    @Override
    public String nowAsText() {
        return "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')";
    }

    @Override
    public String nowPlusMicros() {
        return "(now() + ? * interval '1 microsecond')";
    }

    /** Bounded, or the infinities and the last of the years would make the whole statement fail. */
    @Override
    public String microsUntil(String timestamp) {
        return """
            CASE WHEN %1$s IS NOT NULL THEN CAST(extract(epoch FROM
              least(greatest(%1$s, timestamptz '0001-01-01 UTC'), timestamptz '9999-12-31 UTC') - now()) * 1000000 AS bigint)
            END\
            """.formatted(timestamp);
    }

    /**
     * A database with encoding SQL_ASCII holds any bytes, and the server fails a whole statement that sends others than UTF-8.
     * Such a text comes as an escape, behind a control character that no message may have.
     */
    @Override
    public String possibleText(String column) {
        return """
            CASE WHEN getdatabaseencoding() <> 'SQL_ASCII' OR %1$s IS NULL OR %1$s ~ '%2$s' THEN %1$s
                 ELSE chr(1) || encode(convert_to(%1$s, 'SQL_ASCII'), 'escape') END\
            """.formatted(column, UTF_8);
    }

    @Override
    public String textAsBytes(String column) {
        return "convert_to(%s, CASE getdatabaseencoding() WHEN 'SQL_ASCII' THEN 'SQL_ASCII' ELSE 'UTF8' END)"
                .formatted(column);
    }

    @Override
    public Instant getInstant(ResultSet row, int column) throws SQLException {
        // An infinity comes as a year with nine digits.
        return Micros.bounded(Dialect.super.getInstant(row, column));
    }

    @Override
    public byte @Nullable [] getPayload(ResultSet row, int column) throws SQLException {
        if (payload == PayloadFormat.BINARY) {
            return row.getBytes(column);
        }
        String text = row.getString(column);
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String payloadParameter() {
        return payload == PayloadFormat.BINARY ? "?" : "CAST(convert_from(?, 'UTF8') AS json)";
    }

    /** Of bytes and text the server knows the length without reading a value that is stored out of line; not so of json. */
    @Override
    public String octetLength(String column) {
        boolean isJson = column.endsWith("payload") && payload == PayloadFormat.JSON;
        return isJson ? "octet_length(CAST(" + column + " AS text))" : "octet_length(" + column + ")";
    }

    @Override
    public boolean computesLane() {
        return true;
    }

    @Override
    public String insertIfAbsent(String table, List<String> columns, List<String> values) {
        return Dialect.super.insertIfAbsent(table, columns, values) + " ON CONFLICT DO NOTHING";
    }

    @Override
    public RowPredicate rows(List<RowRef> rows) {
        return new RowArrays(rows);
    }

    @Override
    public int maxRowsPerStatement() {
        return 10_000;
    }

    @Override
    public int deleteOlder(Connection connection, TableName table, String time, Duration age, int limit)
            throws SQLException {
        return new OldRows(this, time).delete(connection, table.sql(), age, limit);
    }

    @Override
    public Optional<AuditPartitions> partitions(JdbcContext context) {
        return Optional.of(new PostgresPartitions(context));
    }

    /**
     * Of a partitioned table, that of its partitions: nobody counts its own. What sessions report is a second old; what the last
     * vacuum found may be hours old, and serves only where a crash has wiped out the former.
     */
    @Override
    public long estimateRows(Connection connection, TableName table) throws SQLException {
        String sql = """
            WITH t AS (SELECT to_regclass(?) AS oid)
            SELECT sum(coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0))) FROM pg_class c
            WHERE c.relkind <> 'p' AND (c.oid = (SELECT oid FROM t)
               OR c.oid IN (SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = (SELECT oid FROM t)))\
            """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    /**
     * One round trip, and nothing of it outlives the transaction. The tables are nearly empty most of the time, and their
     * statistics say so even when they are full: without these settings the server would read them whole.
     */
    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        SqlStatement.execute(
                connection, "SET TRANSACTION ISOLATION LEVEL " + isolation.sql() + "; " + settings(limits));
        return SessionReset.NONE;
    }

    /** What {@link #begin} sets beside the isolation level. */
    private static String settings(TransactionLimits limits) {
        String settings = """
            SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
                   set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
                   set_config('idle_in_transaction_session_timeout', '%d', true)\
            """.formatted(Math.max(1, limits.idle().toMillis()));
        return limits.statement().map(limit -> settings + "; " + limit(limit)).orElse(settings);
    }

    /** Ends the statements that follow in the transaction when they take longer: their client will have left by then. */
    static String limit(Duration statement) {
        return "SET LOCAL statement_timeout = " + Math.max(1, statement.toMillis());
    }

    @Override
    public boolean isTransient(SQLException error) {
        return TRANSIENT.contains(String.valueOf(error.getSQLState()));
    }

    @Override
    public boolean isDuplicateKey(SQLException error) {
        return UNIQUE_VIOLATION.equals(error.getSQLState());
    }

    @Override
    public boolean hasTransactionalDdl() {
        return true;
    }

    @Override
    public Set<String> columns(Connection connection, TableName table) throws SQLException {
        String sql = """
            SELECT attname FROM pg_catalog.pg_attribute
            WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped\
            """;
        try (SqlStatement statement = SqlStatement.prepare(connection, this, sql)) {
            return Set.copyOf(statement.with(table.sql()).list(row -> row.getString(1)));
        }
    }

    /** A lock of the transaction, so that it works through a transaction pooler too. */
    @Override
    public void lockSchema(Connection connection, TableNames tables) throws SQLException {
        String sql = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, "postrider schema " + tables.outboxName());
            statement.execute();
        }
    }
}
