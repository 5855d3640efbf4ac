package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Refuses a data source that leads to another database than a store is for, before any of its SQL is sent there. */
@Internal
public final class DatabaseProduct {

    private static final List<String> KNOWN = List.of("PostgreSQL", "MySQL", "MariaDB", "TiDB", "H2");

    private DatabaseProduct() {}

    /**
     * Asks the driver.
     *
     * @param products the names of databases that the store is for
     * @throws SchemaException if the data source leads to another one
     */
    public static void require(DataSource dataSource, List<String> products) {
        try (Connection connection = dataSource.getConnection()) {
            require(connection, products);
        } catch (SQLException failure) {
            throw new StoreException("Could not ask the database what it is: " + failure.getMessage(), failure);
        }
    }

    /** The same of a connection. */
    public static void require(Connection connection, List<String> products) throws SQLException {
        String found = connection.getMetaData().getDatabaseProductName();
        if (!products.contains(found)) {
            throw new SchemaException(
                    "This store is for %s, but its data source leads to %s. %s, or correct the data source"
                            .formatted(
                                    String.join(", ", products),
                                    found,
                                    KNOWN.contains(found)
                                            ? "Use the store for " + found
                                            : "Use one of the databases that Postrider has stores for: "
                                                    + String.join(", ", KNOWN)));
        }
    }
}
