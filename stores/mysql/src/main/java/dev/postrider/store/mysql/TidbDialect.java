package dev.postrider.store.mysql;

import dev.postrider.spi.AuditPartitions;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.RowPredicate;
import dev.postrider.store.jdbc.SessionReset;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TransactionLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** In what TiDB differs from MySQL. */
final class TidbDialect extends MysqlDialect {

    private static final Set<Integer> TRANSIENT = Set.of(
            8002, // write conflict in a locking read
            8022, // commit failed and was rolled back
            8028, // the table was changed during the transaction
            9007); // write conflict

    TidbDialect(ServerVersion version, long maxInsertBytes) {
        super(version, maxInsertBytes);
    }

    /** No default is allowed but the local time of the session. */
    @Override
    public boolean fillsCreatedAt() {
        return false;
    }

    /** A change of partitions waits without a limit for every transaction that has used the table. */
    @Override
    public Optional<AuditPartitions> partitions(JdbcContext context) {
        return Optional.empty();
    }

    /** By the statistics, which are a minute old: the plan of an empty table guesses ten thousand rows. */
    @Override
    public long estimateRows(Connection connection, TableName table) throws SQLException {
        String sql = """
                SELECT TABLE_ROWS FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table.schema().orElse(null));
            statement.setString(2, table.name());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    @Override
    public RowPredicate rows(List<RowRef> rows) {
        return new RowNames(rows);
    }

    /** The isolation level of the next transaction alone cannot be set together with a variable. */
    @Override
    public SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(nextTransaction(isolation));
            statement.execute("SET " + limitIdleTime(limits));
        }
        return MysqlDialect::restoreIdleTime;
    }

    @Override
    public boolean isTransient(SQLException error) {
        return TRANSIENT.contains(error.getErrorCode()) || super.isTransient(error);
    }
}
