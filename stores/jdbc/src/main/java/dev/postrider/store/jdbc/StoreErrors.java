package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.StoreException;
import java.sql.SQLException;

/** Turns errors of the database into ours: what was tried, in which outbox or inbox, and what the database said. */
@Internal
public final class StoreErrors {

    private final String subject;

    StoreErrors(String subject) {
        this.subject = subject;
    }

    StoreErrors(String kind, Dialect dialect, TableNames tables) {
        this.subject = kind + " " + tables.outboxName() + " (" + dialect.name() + ")";
    }

    /**
     * The exception to throw.
     *
     * @param purpose what was tried, as in "renew leases"
     */
    public StoreException translate(String purpose, SQLException error) {
        return new StoreException(
                "Could not %s in %s: %s (SQLState %s, code %d)"
                        .formatted(purpose, subject, error.getMessage(), error.getSQLState(), error.getErrorCode()),
                error);
    }
}
