package dev.postrider.service.operation;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Outboxes for operators, each opened at its first use, with a few connections of its own: what operators do never waits for those of a relay,
 * nor a relay for theirs. Creates no tables. Thread-safe; close it.
 */
public final class OperatedOutboxes implements AutoCloseable {

    private static final int CONNECTIONS = 3;

    private final Map<String, OutboxAddress> addresses = new LinkedHashMap<>();
    private final Map<String, Opened> opened = new LinkedHashMap<>();

    /** Opens nothing yet. */
    public OperatedOutboxes(List<OutboxAddress> outboxes) {
        outboxes.forEach(outbox -> addresses.put(nameOf(outbox), outbox));
    }

    private static String nameOf(OutboxAddress outbox) {
        return outbox.name().isEmpty() ? outbox.store().prefixName() : outbox.name();
    }

    /** In the order in which they were given. */
    public List<String> names() {
        return List.copyOf(addresses.keySet());
    }

    /** Where it is, if there is one with this name. */
    public Optional<OutboxAddress> address(String name) {
        return Optional.ofNullable(addresses.get(name));
    }

    /**
     * The outbox with this name.
     *
     * @throws dev.postrider.message.PostriderException if its database cannot be reached or has no such tables
     * @throws IllegalArgumentException if there is none
     */
    public synchronized OperatedOutbox open(String name) {
        OutboxAddress address =
                address(name).orElseThrow(() -> new IllegalArgumentException("There is no outbox '" + name + "'"));
        return opened.computeIfAbsent(name, missing -> open(name, address)).outbox();
    }

    private static Opened open(String name, OutboxAddress address) {
        OutboxDatabase database = OutboxDatabase.open(address.database().withPoolSize(CONNECTIONS));
        try {
            OutboxTables tables = database.tables(address.store());
            return new Opened(
                    database,
                    new OperatedOutbox(
                            name,
                            tables.open(SchemaMode.VERIFY),
                            tables,
                            address.config().map(OutboxConfig::routes)));
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
    }

    @Override
    public synchronized void close() {
        opened.values().forEach(one -> one.database().close());
        opened.clear();
    }

    private record Opened(OutboxDatabase database, OperatedOutbox outbox) {}
}
