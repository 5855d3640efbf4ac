package dev.postrider.service.database;

import dev.postrider.service.database.TableCounters.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Asks one kind of database how many rows came into the hot table and how many went. */
interface RowCounter {

    Optional<Sample> read(Connection connection) throws SQLException;

    static RowCounter of(DatabaseKind kind, StoreSettings settings) {
        if (settings.isExisting()) {
            // Rows of existing tables may stay when they are delivered: their going says nothing.
            return connection -> Optional.empty();
        }
        return kind == DatabaseKind.POSTGRES
                ? new PostgresRowCounter(settings)
                : new NumberedRowCounter(kind, settings);
    }
}
