package dev.postrider.store.existing;

import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A lock that one holder of all processes has: the active relay, or whoever runs a task. Thread-safe. */
interface NamedLock {

    boolean take(String owner, Duration length);

    boolean renew(String owner, Duration length);

    void release(String owner);

    Optional<LockTable.State> state();

    /** Whether this owner has it, as far as this transaction can tell. */
    boolean isHeld(Connection connection, String owner) throws SQLException;

    /** A row of a lock table; while {@link #isHeld} is true, nobody can take it before the transaction ends. */
    record InTable(TransactionRunner transactions, LockTable locks, String name) implements NamedLock {

        @Override
        public boolean take(String owner, Duration length) {
            return transactions.inTransaction("take a lock", connection -> locks.take(connection, name, owner, length));
        }

        @Override
        public boolean renew(String owner, Duration length) {
            return transactions.inTransaction(
                    "renew a lock", connection -> locks.renew(connection, name, owner, length));
        }

        @Override
        public void release(String owner) {
            transactions.run("release a lock", connection -> locks.release(connection, name, owner));
        }

        @Override
        public Optional<LockTable.State> state() {
            return transactions.inTransaction("read a lock", connection -> locks.state(connection, name));
        }

        @Override
        public boolean isHeld(Connection connection, String owner) throws SQLException {
            return locks.isHeld(connection, name, owner);
        }
    }

    /** A named lock of a session. */
    record OfSession(TransactionRunner transactions, SessionLocks locks, String name) implements NamedLock {

        @Override
        public boolean take(String owner, Duration length) {
            return locks.take(name, owner, length);
        }

        @Override
        public boolean renew(String owner, Duration length) {
            return locks.isHeld(name, owner);
        }

        @Override
        public void release(String owner) {
            locks.release(name, owner);
        }

        /** The lock has no end of its own: it is shown with a second left for as long as it is held. */
        @Override
        public Optional<LockTable.State> state() {
            return transactions
                    .inTransaction("read a lock", connection -> locks.holder(connection, name))
                    .map(holder -> new LockTable.State(holder, Duration.ofSeconds(1)));
        }

        @Override
        public boolean isHeld(Connection connection, String owner) {
            return locks.isHeld(name, owner);
        }
    }
}
