package dev.postrider.store.existing;

import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A lock that one holder of all processes has: the active relay, or whoever runs a task. A row of the lock table. Thread-safe. */
record NamedLock(TransactionRunner transactions, LockTables tables, String name) {

    boolean take(String owner, Duration length) {
        LockTable locks = tables.get();
        return transactions.inTransaction("take a lock", connection -> locks.take(connection, name, owner, length));
    }

    boolean renew(String owner, Duration length) {
        LockTable locks = tables.get();
        return transactions.inTransaction("renew a lock", connection -> locks.renew(connection, name, owner, length));
    }

    void release(String owner) {
        tables.find()
                .ifPresent(locks ->
                        transactions.run("release a lock", connection -> locks.release(connection, name, owner)));
    }

    Optional<LockTable.State> state() {
        return tables.find()
                .flatMap(locks ->
                        transactions.inTransaction("read a lock", connection -> locks.state(connection, name)));
    }

    /** Whether this owner has it; if so, nobody can take it before this transaction ends. */
    boolean isHeld(Connection connection, String owner) throws SQLException {
        return tables.get().isHeld(connection, name, owner);
    }
}
