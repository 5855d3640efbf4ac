package dev.postrider.spring.boot;

import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What a database calls itself. */
final class ProductName {

    private ProductName() {}

    static String of(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName();
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not ask the database of the outbox what it is: " + failure.getMessage(), failure);
        }
    }
}
