package dev.postrider.service.doctor;

import dev.postrider.internal.SafeText;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.List;

/** Looks whether the store can be opened: the tables are there, of this version, on a server that it supports. */
final class SchemaCheck implements Check {

    private final ExaminedOutbox outbox;
    private final OutboxDatabase database;

    SchemaCheck(ExaminedOutbox outbox, OutboxDatabase database) {
        this.outbox = outbox;
        this.database = database;
    }

    @Override
    public String name() {
        return "tables";
    }

    /** Whether there is anything that other checks could look at; true where that cannot be told. */
    boolean hasTables() {
        try {
            return outbox.store().isExisting()
                    || database.tables(outbox.store()).stored().isPresent();
        } catch (RuntimeException unseen) {
            return true;
        }
    }

    @Override
    public List<Finding> run() {
        if (!hasTables()) {
            return List.of(Finding.error(
                    "there are no tables that begin with '" + outbox.store().prefixName() + "'",
                    "a relay refuses to start",
                    "Create them with 'postrider schema apply', or run the SQL that 'postrider schema print' shows"));
        }
        try {
            database.tables(outbox.store()).open(SchemaMode.VERIFY);
            return List.of();
        } catch (RuntimeException refused) {
            return List.of(Finding.error(
                    SafeText.of(String.valueOf(refused.getMessage())),
                    "a relay refuses to start on these tables",
                    outbox.store().isExisting()
                            ? "Correct the section 'existing' of the file, or the table"
                            : "Upgrade them with 'postrider schema apply', or change what the text names"));
        }
    }
}
