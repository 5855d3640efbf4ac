package dev.postrider.service.doctor;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.StoreSettings;
import java.util.Optional;

/**
 * An outbox to look at.
 *
 * @param name its name in the file; empty without one
 * @param config what the file says beyond database and tables
 */
public record ExaminedOutbox(
        String name, DatabaseSettings database, StoreSettings store, Optional<OutboxConfig> config) {

    String subject() {
        return name.isEmpty() ? "outbox" : "outbox " + name;
    }
}
