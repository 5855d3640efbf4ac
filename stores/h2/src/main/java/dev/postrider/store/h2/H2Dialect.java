package dev.postrider.store.h2;

import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;
import dev.postrider.store.jdbc.TransactionLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** H2 2.x in its regular mode. */
final class H2Dialect implements Dialect {

    /** H2 knows no lock that outlives a DDL statement; one process opens the database, so a lock of the process does. */
    private static final ReentrantLock SCHEMA_LOCK = new ReentrantLock();

    private static final int LOCK_TIMEOUT = 50200;
    private static final int DEADLOCK = 40001;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int DUPLICATE_KEY = 23505;
    private static final Set<Integer> TRANSIENT = Set.of(LOCK_TIMEOUT, DEADLOCK, CONCURRENT_UPDATE);

    @Override
    public String name() {
        return "H2";
    }

    @Override
    public String now() {
        return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    public String nowAsText() {
        return "CAST(%s AT TIME ZONE 'UTC' AS CHARACTER VARYING)".formatted(now());
    }

    @Override
    public String nowPlusMicros() {
        return "DATEADD(MICROSECOND, ?, CURRENT_TIMESTAMP(6))";
    }

    @Override
    public String microsUntil(String timestamp) {
        return "DATEDIFF(MICROSECOND, CURRENT_TIMESTAMP(6), " + timestamp + ")";
    }

    @Override
    public boolean computesLane() {
        return true;
    }

    /** H2 compares each row with the whole list, so that the price grows with the square of its length. */
    @Override
    public int maxRowsPerStatement() {
        return 32;
    }

    @Override
    public long estimateRows(Connection connection, TableName table) throws SQLException {
        // H2 keeps the number of rows of a table; without condition it does not count.
        try (PreparedStatement statement = connection.prepareStatement("SELECT COUNT(*) FROM " + table);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** H2 ends no idle sessions; it lives in one process with its users. */
    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        int before = connection.getTransactionIsolation();
        if (before == isolation.jdbcLevel()) {
            return SessionReset.NONE;
        }
        connection.setTransactionIsolation(isolation.jdbcLevel());
        return session -> session.setTransactionIsolation(before);
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
            SELECT COLUMN_NAME FROM INFORMATION_SCHEMA.COLUMNS
            WHERE TABLE_SCHEMA = COALESCE(?, CURRENT_SCHEMA) AND TABLE_NAME = ?\
            """;
        try (SqlStatement statement = SqlStatement.prepare(connection, this, sql)) {
            return Set.copyOf(statement.with(table.schema()).with(table.name()).list(row -> row.getString(1)));
        }
    }

    @Override
    public void lockSchema(Connection connection, TableNames tables) {
        SCHEMA_LOCK.lock();
    }

    @Override
    public void unlockSchema(Connection connection, TableNames tables) {
        SCHEMA_LOCK.unlock();
    }
}
