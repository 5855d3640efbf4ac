package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.Isolation;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.jdbc.RowMapper;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A connection for single reads, each a transaction of its own with one snapshot.
 *
 * <p>Leaves nothing in the session: the isolation level that is set before each read holds for the next transaction only,
 * which with auto-commit is that read. Without auto-commit the transaction is ended here, so that not even a pool whose
 * default is SERIALIZABLE makes the read lock anything.
 */
final class ReadSession implements AutoCloseable {

    private final JdbcContext context;
    private final LentConnection lent;
    private final Connection connection;
    private final boolean autoCommit;

    private ReadSession(JdbcContext context, LentConnection lent) throws SQLException {
        this.context = context;
        this.lent = lent;
        this.connection = lent.get();
        this.autoCommit = connection.getAutoCommit();
    }

    static ReadSession open(JdbcContext context) throws SQLException {
        LentConnection lent = context.transactions().borrow();
        try {
            return new ReadSession(context, lent);
        } catch (SQLException | RuntimeException failure) {
            lent.close();
            throw failure;
        }
    }

    /** All rows of one statement. */
    <T> List<T> list(Isolation isolation, String sql, Binding binding, RowMapper<T> mapper) throws SQLException {
        execute(MysqlDialect.nextTransaction(isolation));
        try (SqlStatement statement = context.prepare(connection, sql)) {
            binding.bind(statement);
            List<T> rows = statement.list(mapper);
            if (!autoCommit) {
                connection.commit();
            }
            return rows;
        } catch (SQLException | RuntimeException failure) {
            endTransaction(failure);
            throw failure;
        }
    }

    /** Also takes back an isolation level that no transaction has used. */
    private void endTransaction(Throwable failure) {
        try {
            execute("ROLLBACK");
        } catch (SQLException onTop) {
            failure.addSuppressed(onTop);
        }
    }

    private void execute(String sql) throws SQLException {
        SqlStatement.execute(connection, sql);
    }

    @Override
    public void close() throws SQLException {
        lent.close();
    }

    /** Binds all parameters, in the order of the text. */
    @FunctionalInterface
    interface Binding {
        void bind(SqlStatement statement) throws SQLException;
    }
}
