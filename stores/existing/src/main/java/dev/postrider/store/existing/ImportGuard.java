package dev.postrider.store.existing;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps relays that claim no rows from sending what is being imported: the import holds their leader lease, which each of its transactions
 * acquires again. All imports are one holder, so that one that died can be run again at once. Where the name of the lease is not known, it
 * can only tell which are held.
 */
record ImportGuard(Optional<LockTable> locks, Optional<SessionLocks> sessions, Optional<String> leader) {

    private static final String OWNER = "postrider:import";
    private static final Duration LENGTH = Duration.ofMinutes(1);

    /** By this lock table; without it no relay can lead. */
    static ImportGuard of(Connection connection, Database database, TablePath lockTable, Optional<String> leader)
            throws SQLException {
        boolean isThere =
                !new Catalog(database, true).columns(connection, lockTable).isEmpty();
        return new ImportGuard(
                isThere ? openIfOurs(connection, database, lockTable, leader) : Optional.empty(),
                Optional.empty(),
                leader);
    }

    /** Where no lease is named, a table of that name may be about something else. */
    private static Optional<LockTable> openIfOurs(
            Connection connection, Database database, TablePath lockTable, Optional<String> leader)
            throws SQLException {
        try {
            return Optional.of(LockTable.open(connection, database, lockTable, ""));
        } catch (MappingException notOurs) {
            if (leader.isPresent()) {
                throw notOurs;
            }
            return Optional.empty();
        }
    }

    /** @throws StoreException if a relay is active */
    void enter(Connection connection) throws SQLException {
        boolean isFree = isNamed()
                ? locks.get().take(connection, leader.get(), OWNER, LENGTH)
                : sessions.isEmpty() || sessions.get().take(leader.orElseThrow(), OWNER, LENGTH);
        if (!isFree) {
            throw new StoreException(
                    "A relay holds the lease '%s' and sends the rows that are to be imported; stop it, and run the import again"
                            .formatted(leader.get()));
        }
    }

    void leave(Connection connection) throws SQLException {
        sessions.ifPresent(all -> all.release(leader.orElseThrow(), OWNER));
        if (isNamed()) {
            locks.get().release(connection, leader.get(), OWNER);
        }
    }

    private boolean isNamed() {
        return locks.isPresent() && leader.isPresent();
    }

    /** The leases that relays hold: the one that is named, or else all. */
    Set<String> leaders(Connection connection) throws SQLException {
        if (sessions.isPresent()) {
            String name = leader.orElseThrow();
            boolean isLed = sessions.get()
                    .holder(connection, name)
                    .filter(holder -> !holder.equals(OWNER))
                    .isPresent();
            return isLed ? Set.of(name) : Set.of();
        }
        if (locks.isEmpty()) {
            return Set.of();
        }
        return locks.get().leaders(connection, OWNER).stream()
                .filter(name -> leader.map(name::equals).orElse(true))
                .collect(Collectors.toUnmodifiableSet());
    }
}
