package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.message.MessageLimits;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What every part of one JDBC store works with. Thread-safe. */
@Internal
public final class JdbcContext {

    private final Dialect dialect;
    private final TableNames tables;
    private final JdbcStoreOptions options;
    private final StoreErrors errors;
    private final TransactionRunner transactions;

    public JdbcContext(DataSource dataSource, Dialect dialect, JdbcStoreOptions options) {
        this("outbox", dataSource, dialect, options);
    }

    /** @param kind what the tables are, for errors */
    JdbcContext(String kind, DataSource dataSource, Dialect dialect, JdbcStoreOptions options) {
        this.dialect = dialect;
        this.options = options;
        this.tables = new TableNames(options.schema(), options.prefix(), dialect);
        this.errors = new StoreErrors(kind, dialect, tables);
        this.transactions = new TransactionRunner(dataSource, dialect, errors);
    }

    public Dialect dialect() {
        return dialect;
    }

    public TableNames tables() {
        return tables;
    }

    public JdbcStoreOptions options() {
        return options;
    }

    public MessageLimits limits() {
        return options.limits();
    }

    public StoreErrors errors() {
        return errors;
    }

    /** For what a relay does. */
    public TransactionRunner transactions() {
        return transactions;
    }

    /** For what takes as long as it takes: schema, indexes, partitions, cleanup, what operators ask for. */
    public TransactionRunner longTransactions() {
        return transactions.unlimited();
    }

    /** A statement of this dialect. */
    public SqlStatement prepare(Connection connection, String sql) throws SQLException {
        return SqlStatement.prepare(connection, dialect, sql);
    }

    /** What follows the held table in a statement that looks for a line, or for rows of none. */
    String heldLineHint() {
        return dialect.indexHint(tables, "_held_by_line");
    }

    /** Runs a statement made by {@link Dialect#insertIfAbsent}, and says whether the row was inserted. */
    public boolean insertIfAbsent(SqlStatement statement) throws SQLException {
        try {
            return statement.update() == 1;
        } catch (SQLException error) {
            if (dialect.isDuplicateKey(error)) {
                return false;
            }
            throw error;
        }
    }
}
