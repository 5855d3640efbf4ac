package dev.postrider.store.jdbc;

import java.sql.SQLException;

/** What a transaction read was changed by another one meanwhile: the transaction is rolled back and run again. */
final class ConcurrentChangeException extends SQLException {

    private static final long serialVersionUID = 1L;

    ConcurrentChangeException(String message) {
        super(message);
    }
}
