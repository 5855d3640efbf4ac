package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;

/** A real server, reached by one of the two drivers. */
enum TestServer {
    MYSQL(Driver.CONNECTOR_J),
    MARIADB(Driver.MARIADB_CLIENT),
    MYSQL_BY_MARIADB_CLIENT(Driver.MARIADB_CLIENT),
    MARIADB_BY_CONNECTOR_J(Driver.CONNECTOR_J);

    private final Driver driver;

    TestServer(Driver driver) {
        this.driver = driver;
    }

    /** A new database with a pool of its own. */
    HikariDataSource newDatabase(String name) {
        return pool(server().createDatabase(name));
    }

    HikariDataSource pool(Database database) {
        return new HikariDataSource(config(database));
    }

    /** A pool that is still to be changed. */
    HikariConfig config(Database database) {
        return driver.config(database.server(), database.name());
    }

    Database newPlainDatabase(String name) {
        return server().createDatabase(name);
    }

    private DatabaseServer server() {
        return isMariadb() ? Servers.mariadb() : Servers.mysql();
    }

    boolean isMariadb() {
        return this == MARIADB || this == MARIADB_BY_CONNECTOR_J;
    }

    /** What differs in the address. */
    enum Driver {
        CONNECTOR_J("jdbc:mysql://%s:%d/%s?sslMode=DISABLED&allowPublicKeyRetrieval=true"),
        MARIADB_CLIENT("jdbc:mariadb://%s:%d/%s?sslMode=disable&allowPublicKeyRetrieval=true");

        private final String url;

        Driver(String url) {
            this.url = url;
        }

        HikariConfig config(DatabaseServer server, String database) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url.formatted(server.host(), server.port(), database));
            config.setUsername(server.user());
            config.setPassword(server.password());
            config.setMaximumPoolSize(24);
            config.setMinimumIdle(1);
            return config;
        }
    }
}
