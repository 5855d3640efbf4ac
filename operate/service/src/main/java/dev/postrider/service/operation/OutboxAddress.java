package dev.postrider.service.operation;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.StoreSettings;
import java.util.Optional;

/**
 * An outbox that operators look at, before it is opened.
 *
 * @param name what it is called; empty for the name of its tables
 * @param config what the file says beyond database and tables
 */
public record OutboxAddress(
        String name, DatabaseSettings database, StoreSettings store, Optional<OutboxConfig> config) {

    /** What the file says of an outbox. */
    public static OutboxAddress of(OutboxConfig config) {
        return new OutboxAddress(config.name(), config.database(), config.store(), Optional.of(config));
    }
}
