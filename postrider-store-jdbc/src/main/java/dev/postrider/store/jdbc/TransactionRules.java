package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** What {@link TransactionRunner} needs to know of a database. Implementations are thread-safe. */
public interface TransactionRules {

    /** The database's name, for errors. */
    String name();

    /**
     * Gives the transaction about to start this isolation level, and lets the server end it when it stands idle for longer
     * than {@code maxIdle}. Called with auto-commit just switched off and nothing executed yet. A transaction pooler may
     * stand between: prefer what ends with the transaction ({@code SET TRANSACTION}, {@code SET LOCAL}), and return how to
     * undo the rest.
     */
    SessionReset begin(Connection connection, Isolation isolation, Duration maxIdle) throws SQLException;

    /** Whether the transaction was rolled back for certain and may succeed when run again: deadlock, lock time-out, serialization failure. */
    boolean isTransient(SQLException error);
}
