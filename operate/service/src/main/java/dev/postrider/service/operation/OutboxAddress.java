package dev.postrider.service.operation;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.Routes;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import java.util.Optional;

/** An outbox at the address of its database. */
public record OutboxAddress(String name, DatabaseSettings database, StoreSettings store, Optional<OutboxConfig> config)
        implements OutboxSource {

    /** @param name empty for the name of its tables */
    public OutboxAddress {
        name = name.isEmpty() ? store.prefixName() : name;
    }

    /** What the file says of an outbox. */
    public static OutboxAddress of(OutboxConfig config) {
        return new OutboxAddress(config.name(), config.database(), config.store(), Optional.of(config));
    }

    @Override
    public OutboxDatabase connect(int connections) {
        return OutboxDatabase.open(database.withPoolSize(connections));
    }

    @Override
    public Optional<Routes> routes() {
        return config.map(OutboxConfig::routes);
    }
}
