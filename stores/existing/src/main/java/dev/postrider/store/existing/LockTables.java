package dev.postrider.store.existing;

import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TransactionRunner;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock table of an outbox. It is created when somebody first needs a lock: whoever only looks changes nothing. Thread-safe.
 */
final class LockTables {

    private static final Logger LOG = LoggerFactory.getLogger(LockTables.class);

    private final TransactionRunner transactions;
    private final Database database;
    private final TablePath path;
    private volatile @Nullable LockTable opened;

    LockTables(TransactionRunner transactions, Database database, TablePath path) {
        this.transactions = transactions.unlimited();
        this.database = database;
        this.path = path;
    }

    /**
     * The table, if it is there.
     *
     * @throws MappingException if a table of that name is no lock table
     */
    Optional<LockTable> find() {
        LockTable known = opened;
        if (known != null) {
            return Optional.of(known);
        }
        Optional<LockTable> found = transactions.inTransaction(
                "read the lock table's columns",
                connection ->
                        new Catalog(database, true).columns(connection, path).isEmpty()
                                ? Optional.<LockTable>empty()
                                : Optional.of(LockTable.open(connection, database, path)));
        found.ifPresent(table -> opened = table);
        return found;
    }

    /**
     * The table, which is created if it is missing.
     *
     * @throws StoreException if it is missing and the user may not create it
     */
    LockTable get() {
        return find().orElseGet(this::create);
    }

    private LockTable create() {
        String ddl = Preset.RELAY_LOCK
                .ddl(database.name().toLowerCase(Locale.ROOT), path.toString())
                .replace("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ");
        try {
            transactions.run("create the lock table", connection -> {
                SqlStatement.execute(connection, ddl);
            });
            LOG.info("Created table {}, which says who leads and who runs maintenance", path);
        } catch (StoreException refused) {
            // Another process may have created it meanwhile.
            return find().orElseThrow(() -> new StoreException(
                    "There is no table %s, in which relays agree who leads and who runs maintenance, and it could not be created: %s. Create it as 'schema print --preset relay-lock' shows, or allow this user to create tables"
                            .formatted(path, refused.getMessage()),
                    refused));
        }
        return find().orElseThrow();
    }
}
