package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Enough of H2 for tests of the parts that all databases share. */
final class PlainDialect implements Dialect {

    static final int TRANSIENT = 40_001;

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public String now() {
        return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    public String nowAsText() {
        return "CAST(CURRENT_TIMESTAMP(6) AS VARCHAR)";
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
    public long estimateRows(Connection connection, TableName table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(isolation.jdbcLevel());
        return session -> session.setTransactionIsolation(before);
    }

    @Override
    public boolean isTransient(SQLException error) {
        return error.getErrorCode() == TRANSIENT;
    }

    @Override
    public boolean isDuplicateKey(SQLException error) {
        return error.getErrorCode() == 23505;
    }

    @Override
    public boolean hasTransactionalDdl() {
        return false;
    }

    @Override
    public Set<String> columns(Connection connection, TableName table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void lockSchema(Connection connection, TableNames tables) {
        throw new UnsupportedOperationException();
    }
}
