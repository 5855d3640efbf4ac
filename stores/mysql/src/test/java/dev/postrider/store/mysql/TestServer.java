package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;

/** A real server, reached by its own driver and a plain pool, or by the other one's driver and a pool of odd defaults. */
enum TestServer {
    MYSQL(Driver.CONNECTOR_J),
    MARIADB(Driver.MARIADB_CLIENT),
    ODD_MYSQL(Driver.MARIADB_CLIENT),
    ODD_MARIADB(Driver.CONNECTOR_J);

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
        HikariConfig config = driver.config(database.server(), database.name());
        if (this == ODD_MYSQL || this == ODD_MARIADB) {
            config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
            config.setAutoCommit(false);
            config.setConnectionInitSql("SET time_zone = '+05:30', SESSION wait_timeout = 12345");
        }
        return config;
    }

    Database newPlainDatabase(String name) {
        return server().createDatabase(name);
    }

    private DatabaseServer server() {
        return isMariadb() ? Servers.mariadb() : Servers.mysql();
    }

    boolean isMariadb() {
        return this == MARIADB || this == ODD_MARIADB;
    }

    Flavor flavor() {
        return isMariadb() ? Flavor.MARIADB : Flavor.MYSQL;
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
