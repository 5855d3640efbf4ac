package dev.postrider.cli.options;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import java.util.Optional;

/**
 * An outbox that a command is about.
 *
 * @param name its name in the file; empty without one
 * @param config what the file says beyond database and tables
 */
public record OutboxTarget(String name, DatabaseSettings database, StoreSettings store, Optional<OutboxConfig> config) {

    /** What the outbox is called: its name in the file, else that of its tables. */
    public String nameOr(OutboxStore opened) {
        return name.isEmpty() ? opened.name() : name;
    }
}
