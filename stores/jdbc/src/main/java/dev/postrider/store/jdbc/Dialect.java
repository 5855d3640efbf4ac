package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.message.MessageId;
import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases, as far as the shared statements need to know it.
 *
 * <p>Everything shared is written in the common part of H2, PostgreSQL, MySQL and MariaDB: {@code LIMIT ?},
 * {@code FOR UPDATE}, {@code TRUE}/{@code FALSE}, {@code INSERT … SELECT}, {@code CASE}. Implementations are stateless and
 * thread-safe.
 */
@Internal
public interface Dialect extends TransactionRules {

    /** What drivers call the databases that this dialect is for. */
    default List<String> products() {
        return List.of(name());
    }

    /** Quotes a name that was validated already. */
    default String quote(String identifier) {
        return '"' + identifier + '"';
    }

    // Time: always the database's clock.

    /** The present, such as {@code CURRENT_TIMESTAMP(6)}. May be the start of the transaction. */
    String now();

    /** The same as text in UTC, such as {@code 2026-11-18 10:57:03.724123}; {@code +00} may follow. */
    String nowAsText();

    /** The present plus one bound parameter, a {@code long} of microseconds that may be negative. */
    String nowPlusMicros();

    /** Microseconds from now to the expression, as a {@code bigint}, negative when it has passed, null for null. */
    String microsUntil(String timestamp);

    /**
     * The column as a time that every driver can read and every table of ours accepts, whoever wrote it: a message with an
     * impossible time is still a message.
     */
    default String possibleTime(String column) {
        return column;
    }

    /**
     * The column of texts as one that can always be read: where it is not Unicode, as a text that is no part of a message. Costs
     * more than the plain column.
     */
    default String possibleText(String column) {
        return column;
    }

    /** The bytes of a column of texts, in UTF-8 or, if they are not Unicode, as they are. */
    default String textAsBytes(String column) {
        return "CAST(" + column + " AS VARBINARY)";
    }

    // Values: ids are UUIDs and times have a time zone, unless the database knows no such types.

    default void setId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setObject(index, id.toUuid());
    }

    default MessageId getId(ResultSet row, int column) throws SQLException {
        return MessageId.fromUuid(row.getObject(column, UUID.class));
    }

    default void setInstant(PreparedStatement statement, int index, Instant instant) throws SQLException {
        statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
    }

    default Instant getInstant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** Binds a payload in the format of this store. */
    default void setPayload(PreparedStatement statement, int index, byte[] payload) throws SQLException {
        statement.setBytes(index, payload);
    }

    /** The payload as it was written, byte for byte. */
    default byte @Nullable [] getPayload(ResultSet row, int column) throws SQLException {
        return row.getBytes(column);
    }

    /** How a headers parameter is written: {@code ?}, or a cast of it. */
    default String headersParameter() {
        return "?";
    }

    /** How a payload parameter is written: {@code ?}, or a cast of it. */
    default String payloadParameter() {
        return "?";
    }

    /** The number of bytes of a headers or payload column. */
    default String octetLength(String column) {
        return "OCTET_LENGTH(" + column + ")";
    }

    /** Whether the hot and the delayed table compute {@code lane} by themselves, so that inserts must leave it out. */
    default boolean computesLane() {
        return false;
    }

    /** Whether the hot and the delayed table fill in {@code created_at} by themselves; if not, inserts give {@link #now}. */
    default boolean fillsCreatedAt() {
        return true;
    }

    /** Whether the hot table has an index by lane and seq; if not, reading the head of one lane may read all lanes. */
    default boolean hasLaneIndex() {
        return true;
    }

    // Statements.

    /**
     * An insert of one row that does nothing when its primary key exists already, also against a transaction that has not
     * committed yet (then it waits). Reports 1 or 0 rows, or fails with {@link #isDuplicateKey} without harm to the
     * transaction, as a plain insert does on most databases.
     *
     * @param values an SQL expression for each column
     */
    default String insertIfAbsent(String table, List<String> columns, List<String> values) {
        return "INSERT INTO %s (%s) VALUES (%s)"
                .formatted(table, String.join(", ", columns), String.join(", ", values));
    }

    /**
     * A condition for exactly these rows (lane, seq and id), fast on the primary keys of the hot, held and dead table.
     * Columns are not qualified: it stands in statements on one table only. The list is not empty.
     */
    default RowPredicate rows(List<RowRef> rows) {
        return new RowListPredicate(rows);
    }

    /**
     * What follows a table, or its alias, in a statement with {@link #rows}: an index hint, where a planner with old
     * statistics would rather read the whole table.
     */
    default String rowsHint() {
        return "";
    }

    /**
     * What follows a table in a statement that shall use this index: a hint, where a planner with old statistics would rather
     * read the whole table. The index has the name of the outbox with this suffix, or is the primary key if there is none.
     */
    default String indexHint(TableNames tables, String suffix) {
        return "";
    }

    /** A delete of rows that the condition made by {@link #rows} names. */
    default String deleteRows(TableName table, String condition) {
        return "DELETE FROM %s WHERE %s".formatted(table, condition);
    }

    /** The largest list that {@link #rows} should be given at once. */
    default int maxRowsPerStatement() {
        return 500;
    }

    /** Whether the drivers can send any statement in batches; if not, they are sent one by one. */
    default boolean canBatch() {
        return true;
    }

    /** How many payload bytes one insert may carry, beside at most one more message. */
    default long maxInsertBytes() {
        return 8L << 20;
    }

    /**
     * Deletes at most {@code limit} rows whose time is at least this age, preferably the oldest. Returns how many: 0 only when
     * there are none. There is an index on the time.
     */
    default int deleteOlder(Connection connection, TableName table, String time, Duration age, int limit)
            throws SQLException {
        String sql = "DELETE FROM %s WHERE %s <= %s LIMIT ?".formatted(table, time, nowPlusMicros());
        try (SqlStatement statement = SqlStatement.prepare(connection, this, sql)) {
            return statement.with(age.negated()).with(limit).update();
        }
    }

    /** The partitions of the audit trail, where the database has range partitions. */
    default Optional<AuditPartitions> partitions(JdbcContext context) {
        return Optional.empty();
    }

    /** About how many rows the table has, without counting them. */
    long estimateRows(Connection connection, TableName table) throws SQLException;

    // Transactions and errors.

    /** Whether a primary key or unique index refused the row. */
    boolean isDuplicateKey(SQLException error);

    // Schema.

    /** Whether DDL is part of a transaction; if not, migrations must be repeatable statement by statement. */
    boolean hasTransactionalDdl();

    /** The names of this table's columns; empty when there is no such table. */
    Set<String> columns(Connection connection, TableName table) throws SQLException;

    /** Whether this table exists. */
    default boolean exists(Connection connection, TableName table) throws SQLException {
        return !columns(connection, table).isEmpty();
    }

    /**
     * Makes everybody else who migrates this outbox wait. Called on the connection that runs the migration, inside its
     * transaction if DDL is transactional, else with auto-commit on.
     */
    void lockSchema(Connection connection, TableNames tables) throws SQLException;

    /** Ends {@link #lockSchema} where the end of the transaction does not. */
    default void unlockSchema(Connection connection, TableNames tables) throws SQLException {}
}
