package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;

/** What {@link TransactionRunner} needs to know of a database. Implementations are thread-safe. */
@Internal
public interface TransactionRules {

    /** The database's name, for errors. */
    String name();

    /**
     * Gives the transaction about to start this isolation level, and lets the server end it when it goes beyond its
     * limits, as far as the server can. Called with auto-commit just switched off and nothing executed yet. A transaction pooler may
     * stand between: prefer what ends with the transaction ({@code SET TRANSACTION}, {@code SET LOCAL}), and return how to
     * undo the rest.
     */
    SessionReset begin(Connection connection, Isolation isolation, TransactionLimits limits) throws SQLException;

    /** Whether the transaction was rolled back for certain and may succeed when run again: deadlock, lock time-out, serialization failure. */
    boolean isTransient(SQLException error);
}
