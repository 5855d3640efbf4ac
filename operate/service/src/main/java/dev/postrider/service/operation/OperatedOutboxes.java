package dev.postrider.service.operation;

import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.doctor.Doctor;
import dev.postrider.service.doctor.ExaminedOutbox;
import dev.postrider.spi.StoreException;
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

    private final Map<String, OutboxSource> sources = new LinkedHashMap<>();
    private final Map<String, Opened> opened = new LinkedHashMap<>();
    private boolean isClosed;

    /** Opens nothing yet. */
    public OperatedOutboxes(List<? extends OutboxSource> outboxes) {
        outboxes.forEach(outbox -> sources.put(outbox.name(), outbox));
    }

    /** In the order in which they were given. */
    public List<String> names() {
        return List.copyOf(sources.keySet());
    }

    /**
     * The outbox with this name.
     *
     * @throws dev.postrider.message.PostriderException if its database cannot be reached or has no such tables
     * @throws IllegalArgumentException if there is none
     */
    public synchronized OperatedOutbox open(String name) {
        OutboxSource source = source(name);
        if (isClosed) {
            throw new StoreException("The outboxes are closed");
        }
        return opened.computeIfAbsent(name, missing -> open(source)).outbox();
    }

    private OutboxSource source(String name) {
        return Optional.ofNullable(sources.get(name))
                .orElseThrow(() -> new IllegalArgumentException("There is no outbox '" + name + "'"));
    }

    private static Opened open(OutboxSource source) {
        OutboxDatabase database = source.connect(CONNECTIONS);
        try {
            OutboxTables tables = database.tables(source.store());
            return new Opened(
                    database,
                    new OperatedOutbox(
                            source.name(),
                            tables.open(SchemaMode.VERIFY),
                            tables,
                            source.routes(),
                            source.commandOptions()));
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
    }

    /** Has the doctor look at the outbox, over connections of its own. */
    public void examine(String name, Doctor doctor) {
        OutboxSource source = source(name);
        doctor.examine(
                new ExaminedOutbox(name, source.database(), source.store(), source.config()),
                () -> source.connect(CONNECTIONS));
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        opened.values().forEach(one -> one.database().close());
        opened.clear();
    }

    private record Opened(OutboxDatabase database, OperatedOutbox outbox) {}
}
