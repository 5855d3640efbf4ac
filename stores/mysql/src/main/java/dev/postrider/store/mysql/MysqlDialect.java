package dev.postrider.store.mysql;

import dev.postrider.message.MessageId;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;
import dev.postrider.store.jdbc.TransactionLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What MySQL, MariaDB and TiDB share, and the little in which MySQL and MariaDB differ; {@link TidbDialect} has the rest.
 *
 * <p>Times are {@code DATETIME(6)} in UTC and travel as text, so that neither the time zone of the session nor that of the
 * driver can move them.
 */
class MysqlDialect implements Dialect {

    /** Drivers of MySQL call all of them MySQL. */
    static final List<String> PRODUCTS = List.of("MySQL", "MariaDB", "TiDB");

    private static final DateTimeFormatter DATETIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

    private static final int SCHEMA_LOCK_SECONDS = 60;

    private static final int DUPLICATE_KEY = 1062;
    private static final Set<Integer> TRANSIENT = Set.of(
            1020, // record has changed since last read (MariaDB)
            1205, // lock wait timeout
            1213, // deadlock; also a failed certification in a cluster
            3572); // a lock with NOWAIT

    /**
     * The session's own time-out waits in a user variable for the end of the transaction and is then removed. Nothing can
     * come in between: a session that breaks takes its variables along.
     */
    private static final String LIMIT_IDLE_TIME =
            "@postrider_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = ";

    private static final String RESTORE_IDLE_TIME =
            "SET SESSION wait_timeout = @postrider_wait_timeout, @postrider_wait_timeout = NULL";

    private final ServerVersion version;
    private final long maxInsertBytes;

    MysqlDialect(ServerVersion version, long maxInsertBytes) {
        this.version = version;
        this.maxInsertBytes = maxInsertBytes;
    }

    static MysqlDialect of(ServerVersion version, long maxInsertBytes) {
        return version.flavor() == Flavor.TIDB
                ? new TidbDialect(version, maxInsertBytes)
                : new MysqlDialect(version, maxInsertBytes);
    }

    @Override
    public String name() {
        return version.flavor().label();
    }

    @Override
    public List<String> products() {
        return PRODUCTS;
    }

    @Override
    public String quote(String identifier) {
        return '`' + identifier + '`';
    }

    /** The start of the statement. */
    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String nowAsText() {
        return "CAST(UTC_TIMESTAMP(6) AS CHAR)";
    }

    @Override
    public String nowPlusMicros() {
        return "(UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)";
    }

    @Override
    public String microsUntil(String timestamp) {
        return "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), " + timestamp + ")";
    }

    /**
     * A session without strict mode may write zeros for year, month and day, or a 31st of February, into a table without its
     * CHECKs: no driver reads them, and no strict session writes them.
     */
    @Override
    public String possibleTime(String column) {
        return """
            CASE WHEN %1$s >= '1000-01-01' AND MONTH(%1$s) > 0
                      AND DAYOFMONTH(%1$s) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(%1$s)) THEN %1$s
                 ELSE TIMESTAMP '1970-01-01 00:00:00' END\
            """.formatted(column);
    }

    @Override
    public String textAsBytes(String column) {
        return "CAST(" + column + " AS BINARY)";
    }

    @Override
    public void setId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setBytes(index, id.toBytes());
    }

    @Override
    public MessageId getId(ResultSet row, int column) throws SQLException {
        return MessageId.fromBytes(row.getBytes(column));
    }

    @Override
    public void setInstant(PreparedStatement statement, int index, Instant instant) throws SQLException {
        statement.setString(index, DATETIME.format(instant));
    }

    @Override
    public Instant getInstant(ResultSet row, int column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        // MariaDB's driver has nothing for a day that does not exist.
        return time == null ? Instant.EPOCH : time.toInstant(ZoneOffset.UTC);
    }

    @Override
    public boolean computesLane() {
        return true;
    }

    @Override
    public boolean fillsCreatedAt() {
        return true;
    }

    @Override
    public boolean hasLaneIndex() {
        return false;
    }

    @Override
    public RowPredicate rows(List<RowRef> rows) {
        return new RowTuples(rows);
    }

    @Override
    public String rowsHint() {
        return " FORCE INDEX (PRIMARY)";
    }

    @Override
    public String indexHint(TableNames tables, String suffix) {
        return suffix.isEmpty()
                ? rowsHint()
                : " FORCE INDEX (" + quote(tables.named(suffix).name()) + ")";
    }

    /**
     * With an alias, because only then a hint is allowed. Without the hint a server that believes the table to be empty reads
     * it whole, and waits for every row that a writer has not committed yet.
     */
    @Override
    public String deleteRows(TableName table, String condition) {
        return "DELETE r FROM %s r FORCE INDEX (PRIMARY) WHERE %s".formatted(table, condition);
    }

    /** MariaDB turns a list of a thousand values, three for each row, into a join, and then ignores the index hint. */
    @Override
    public int maxRowsPerStatement() {
        return version.flavor() == Flavor.MARIADB ? 256 : 1024;
    }

    /** MariaDB's driver sends batches in a form that MariaDB refuses for INSERT … SELECT; MySQL's gains nothing by them. */
    @Override
    public boolean canBatch() {
        return false;
    }

    @Override
    public long maxInsertBytes() {
        return maxInsertBytes;
    }

    @Override
    public int deleteOlder(Connection connection, TableName table, String time, Duration age, int limit)
            throws SQLException {
        return new OldRows(this, table.sql(), time).delete(connection, age, limit);
    }

    @Override
    public Optional<AuditPartitions> partitions(JdbcContext context) {
        return Optional.of(new MysqlPartitions(context));
    }

    /** The plan knows the present number; the catalogue's own is up to a day old. */
    @Override
    public long estimateRows(Connection connection, TableName table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery("EXPLAIN FORMAT = TRADITIONAL SELECT 1 FROM " + table)) {
            return plan.next() ? plan.getLong("rows") : 0;
        }
    }

    /** One round trip: without SESSION the isolation level holds for the next transaction only. */
    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        SqlStatement.execute(
                connection,
                "SET @@%s = '%s', %s"
                        .formatted(isolationVariable(), isolation.sql().replace(' ', '-'), limitIdleTime(limits)));
        return MysqlDialect::restoreIdleTime;
    }

    /** Whole seconds, at least one: wait_timeout knows nothing shorter. */
    static String limitIdleTime(TransactionLimits limits) {
        return LIMIT_IDLE_TIME + Math.max(1, limits.idle().toSeconds());
    }

    private String isolationVariable() {
        boolean isOldName = version.flavor() == Flavor.MARIADB && !version.isAtLeast(11, 1);
        return isOldName ? "tx_isolation" : "transaction_isolation";
    }

    static void restoreIdleTime(Connection connection) throws SQLException {
        SqlStatement.execute(connection, RESTORE_IDLE_TIME);
    }

    /** A statement that gives the next transaction of the session, and no other, this isolation level. */
    static String nextTransaction(Isolation isolation) {
        return "SET TRANSACTION ISOLATION LEVEL " + isolation.sql();
    }

    @Override
    public boolean isTransient(SQLException error) {
        return TRANSIENT.contains(error.getErrorCode());
    }

    @Override
    public boolean isDuplicateKey(SQLException error) {
        return error.getErrorCode() == DUPLICATE_KEY;
    }

    @Override
    public boolean hasTransactionalDdl() {
        return false;
    }

    @Override
    public Set<String> columns(Connection connection, TableName table) throws SQLException {
        String sql = """
            SELECT COLUMN_NAME FROM information_schema.COLUMNS
            WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?\
            """;
        try (SqlStatement statement = SqlStatement.prepare(connection, this, sql)) {
            return Set.copyOf(statement.with(table.schema()).with(table.name()).list(row -> row.getString(1)));
        }
    }

    /** A lock of the session, since DDL commits every transaction; it goes with the session if the process dies. */
    @Override
    public void lockSchema(Connection connection, TableNames tables) throws SQLException {
        if (callLock(connection, "GET_LOCK(%s, " + SCHEMA_LOCK_SECONDS + ")", tables) != 1) {
            throw new SQLException(
                    "Somebody else has been creating this outbox for " + SCHEMA_LOCK_SECONDS + " seconds");
        }
    }

    @Override
    public void unlockSchema(Connection connection, TableNames tables) throws SQLException {
        callLock(connection, "RELEASE_LOCK(%s)", tables);
    }

    /** Names of locks belong to the whole server and have at most 64 characters, hence the hash. */
    private static int callLock(Connection connection, String function, TableNames tables) throws SQLException {
        String name = "CONCAT('postrider ', LEFT(SHA2(CONCAT(COALESCE(?, DATABASE()), '.', ?), 256), 40))";
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + function.formatted(name))) {
            statement.setString(1, tables.schema().orElse(null));
            statement.setString(2, tables.prefix());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }
}
