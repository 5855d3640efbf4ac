package dev.postrider.store.mysql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;

/** What a writer may do, by accident mostly, that locks the place where every next row of the outbox is written. */
enum TableEnd {

    /** On MySQL; MariaDB locks nothing here. */
    ROLLED_BACK_TO_A_SAVEPOINT(Connection.TRANSACTION_REPEATABLE_READ) {
        @Override
        void lock(TestStore store, Connection connection) throws SQLException {
            // Without a change before the savepoint all would be rolled back, and nothing stay locked.
            execute(connection, "CREATE TEMPORARY TABLE IF NOT EXISTS scratch (n INT) ENGINE = InnoDB");
            execute(connection, "INSERT INTO scratch VALUES (1)");
            Savepoint savepoint = connection.setSavepoint();
            store.store().insert(connection, List.of(message()));
            connection.rollback(savepoint);
        }
    },

    COUNTED(Connection.TRANSACTION_SERIALIZABLE) {
        @Override
        void lock(TestStore store, Connection connection) throws SQLException {
            execute(connection, "SELECT COUNT(*) FROM outbox");
        }
    },

    DELETED_OWN_MESSAGES(Connection.TRANSACTION_REPEATABLE_READ) {
        @Override
        void lock(TestStore store, Connection connection) throws SQLException {
            store.store().insert(connection, List.of(message()));
            execute(connection, "DELETE FROM outbox WHERE topic = 'undone'");
        }
    },

    /** A row that does not exist: TiDB locks its number, and locks by no other way. */
    LOOKED_FOR_THE_NEXT_NUMBER(Connection.TRANSACTION_REPEATABLE_READ) {
        @Override
        void lock(TestStore store, Connection connection) throws SQLException {
            assumeTrue(Servers.isTidbForMysql(), "TiDB only: .ci/tidb");
            execute(connection, "SELECT id FROM outbox WHERE seq = " + store.nextNumber() + " FOR UPDATE");
        }
    };

    private final int isolation;

    TableEnd(int isolation) {
        this.isolation = isolation;
    }

    int isolation() {
        return isolation;
    }

    /** Locks it until the transaction ends. */
    abstract void lock(TestStore store, Connection connection) throws SQLException;

    private static OutboxMessage message() {
        return OutboxMessage.builder("undone").key("undone").type("never").build();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
