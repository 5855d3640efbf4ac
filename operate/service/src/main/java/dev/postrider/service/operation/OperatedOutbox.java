package dev.postrider.service.operation;

import dev.postrider.service.Routes;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.spi.OutboxStore;
import java.util.Optional;

/**
 * An open outbox that operators look at and act on. Thread-safe.
 *
 * @param routes which topic goes where, if that is known
 * @param commandOptions by which options a command of the command line finds it
 */
public record OperatedOutbox(
        String name, OutboxStore store, OutboxTables tables, Optional<Routes> routes, String commandOptions) {

    /** Whether only its status is known, because its tables are of others. */
    public boolean isForeign() {
        return tables.areExisting();
    }
}
