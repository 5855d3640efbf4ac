package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.util.List;

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
            config.setTransactionIsolation("TRANSACTION_" + strictestIsolation());
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

    /** SQL that counts sessions which wait for a lock, in its last column. */
    String lockWaits() {
        return flavor() == Flavor.TIDB
                ? "SELECT COUNT(*) FROM information_schema.TIDB_TRX WHERE STATE = 'LockWaiting'"
                : "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
    }

    String strictestIsolation() {
        return isolations().get(isolations().size() - 1);
    }

    /** What a pool may have as its default, by the names of JDBC. */
    List<String> isolations() {
        return flavor() == Flavor.TIDB
                ? List.of("READ_COMMITTED", "REPEATABLE_READ")
                : List.of("READ_UNCOMMITTED", "REPEATABLE_READ", "SERIALIZABLE");
    }

    /** The isolation level that this server has: TiDB has nothing above REPEATABLE READ. */
    int isolation(int wanted) {
        return flavor() == Flavor.TIDB && wanted == Connection.TRANSACTION_SERIALIZABLE
                ? Connection.TRANSACTION_REPEATABLE_READ
                : wanted;
    }

    Flavor flavor() {
        if (isMariadb()) {
            return Flavor.MARIADB;
        }
        return Servers.isTidbForMysql() ? Flavor.TIDB : Flavor.MYSQL;
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
