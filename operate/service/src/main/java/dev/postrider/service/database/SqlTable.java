package dev.postrider.service.database;

import java.sql.Connection;
import java.sql.SQLException;

/** The names of an outbox's tables as they stand in statements; validated when they were set. */
public final class SqlTable {

    private SqlTable() {}

    /**
     * With schema, where one is set, and quoted as this database does.
     *
     * @param suffix what follows the prefix, such as {@code _held}; empty for the hot table
     */
    public static String of(Connection connection, StoreSettings settings, String suffix) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString().strip();
        return settings.table(quote, suffix);
    }
}
