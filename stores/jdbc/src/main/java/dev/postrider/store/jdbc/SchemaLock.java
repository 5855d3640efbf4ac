package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs a migration while everybody else who migrates the same tables waits. */
final class SchemaLock {

    private final DataSource dataSource;
    private final JdbcContext context;

    SchemaLock(DataSource dataSource, JdbcContext context) {
        this.dataSource = dataSource;
        this.context = context;
    }

    void run(String purpose, SqlAction migration) {
        if (context.dialect().hasTransactionalDdl()) {
            context.longTransactions().run(purpose, connection -> {
                context.dialect().lockSchema(connection, context.tables());
                migration.run(connection);
            });
        } else {
            runStepByStep(purpose, migration);
        }
    }

    private void runStepByStep(String purpose, SqlAction migration) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            context.dialect().lockSchema(connection, context.tables());
            try {
                migration.run(connection);
            } finally {
                context.dialect().unlockSchema(connection, context.tables());
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException error) {
            throw context.errors().translate(purpose, error);
        }
    }
}
