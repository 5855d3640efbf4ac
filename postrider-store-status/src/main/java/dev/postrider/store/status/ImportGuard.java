package dev.postrider.store.status;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps relays that claim no rows from sending what is being imported: the import holds their leader lease, in each of its transactions
 * anew. All imports are one holder, so that one that died can be run again at once.
 */
record ImportGuard(Optional<LockTable> locks, String leader) {

    static final ImportGuard NONE = new ImportGuard(Optional.empty(), "");

    private static final String OWNER = "postrider:import";
    private static final Duration LENGTH = Duration.ofMinutes(1);

    /** @throws StoreException if a relay is active */
    void enter(Connection connection) throws SQLException {
        if (locks.isPresent() && !locks.get().take(connection, leader, OWNER, LENGTH)) {
            throw new StoreException(
                    "A relay holds the lease '%s' and sends the rows that are to be imported; stop it, and run the import again"
                            .formatted(leader));
        }
    }

    void leave(Connection connection) throws SQLException {
        if (locks.isPresent()) {
            locks.get().release(connection, leader, OWNER);
        }
    }
}
