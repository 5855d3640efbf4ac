package dev.postrider.service.operation;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.Routes;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import java.util.Optional;

/** An outbox that operators look at, before it is opened. Thread-safe. */
public interface OutboxSource {

    /** What it is called. */
    String name();

    /** Which tables it has. */
    StoreSettings store();

    /** Where its database is. */
    DatabaseSettings database();

    /**
     * Opens connections to its database, which the caller closes.
     *
     * @param connections how many at most
     */
    OutboxDatabase connect(int connections);

    /** What a file says beyond database and tables, if there is one. */
    Optional<OutboxConfig> config();

    /** Which topic goes where, if that is known. */
    Optional<Routes> routes();

    /** By which options a command of the command line finds it. Who has the file, or the address and its password, knows where they are. */
    default String commandOptions() {
        if (config().isPresent()) {
            return "--outbox '" + name().replace("'", "'\\''") + "' --config postrider.yaml";
        }
        String prefix = store().prefixName();
        return "--url \"$JDBC_URL\""
                + (prefix.equals(new StoreSettings().prefixName()) ? "" : " --prefix " + prefix)
                + store().schemaName().map(schema -> " --schema " + schema).orElse("");
    }
}
