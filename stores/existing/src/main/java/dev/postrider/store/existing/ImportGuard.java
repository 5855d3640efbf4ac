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
record ImportGuard(Optional<LockTables> locks, Optional<String> leader) {

    private static final String OWNER = "postrider:import";
    private static final Duration LENGTH = Duration.ofMinutes(1);

    /** Where no lease is named, a table of that name may be about something else, and none is created. */
    static ImportGuard of(LockTables locks, Optional<String> leader) {
        try {
            boolean isOfUse = locks.find().isPresent() || leader.isPresent();
            return new ImportGuard(isOfUse ? Optional.of(locks) : Optional.empty(), leader);
        } catch (MappingException notOurs) {
            if (leader.isPresent()) {
                throw notOurs;
            }
            return new ImportGuard(Optional.empty(), leader);
        }
    }

    /** @throws StoreException if a relay is active */
    void enter(Connection connection) throws SQLException {
        if (isNamed() && !locks.get().get().take(connection, leader.get(), OWNER, LENGTH)) {
            throw new StoreException(
                    "A relay holds the lease '%s' and sends the rows that are to be imported; stop it, and run the import again"
                            .formatted(leader.get()));
        }
    }

    void leave(Connection connection) throws SQLException {
        if (isNamed()) {
            locks.get().get().release(connection, leader.get(), OWNER);
        }
    }

    private boolean isNamed() {
        return locks.isPresent() && leader.isPresent();
    }

    /** The leases that relays hold: the one that is named, or else all. */
    Set<String> leaders(Connection connection) throws SQLException {
        Optional<LockTable> table = locks.flatMap(LockTables::find);
        if (table.isEmpty()) {
            return Set.of();
        }
        return table.get().leaders(connection, OWNER).stream()
                .filter(name -> leader.map(name::equals).orElse(true))
                .collect(Collectors.toUnmodifiableSet());
    }
}
