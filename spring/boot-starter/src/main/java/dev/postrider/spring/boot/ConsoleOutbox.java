package dev.postrider.spring.boot;

import dev.postrider.service.OutboxConfig;
import dev.postrider.service.Routes;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.OutboxSource;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * An outbox of the application for the console: over a few connections of its own, so that what operators look at takes none from requests or
 * from the relay. Where the application's pool is not HikariCP, over that.
 *
 * @param known the routes; empty where this process does not relay
 */
record ConsoleOutbox(String name, DataSource dataSource, StoreSettings store, Supplier<Optional<Routes>> known)
        implements OutboxSource {

    @Override
    public DatabaseSettings database() {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            return DatabaseSettings.of(address(about), String.valueOf(about.getUserName()), "");
        } catch (SQLException failure) {
            throw new StoreException(
                    "Could not ask the database of the outbox where it is: " + failure.getMessage(), failure);
        }
    }

    /** Drivers around others have addresses of their own. */
    private static String address(DatabaseMetaData about) throws SQLException {
        try {
            DatabaseKind.ofUrl(about.getURL());
            return about.getURL();
        } catch (IllegalArgumentException unknown) {
            return switch (DatabaseKind.ofProduct(about.getDatabaseProductName())) {
                case POSTGRES -> "jdbc:postgresql:";
                case MYSQL, TIDB -> "jdbc:mysql:";
                case MARIADB -> "jdbc:mariadb:";
                case H2 -> "jdbc:h2:";
            };
        }
    }

    @Override
    public OutboxDatabase connect(int connections) {
        RelayPool pool = RelayPool.ofConsole(name, dataSource, connections);
        return OutboxDatabase.over(database(), pool.dataSource(), pool::close);
    }

    /** What a file would say stands in the properties, where the doctor's words would mislead. */
    @Override
    public Optional<OutboxConfig> config() {
        return Optional.empty();
    }

    @Override
    public Optional<Routes> routes() {
        return known.get();
    }
}
