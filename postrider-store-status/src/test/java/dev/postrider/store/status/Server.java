package dev.postrider.store.status;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;

/** A real server. */
enum Server {
    POSTGRES,
    MYSQL,
    MARIADB;

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    private DatabaseServer server() {
        return switch (this) {
            case POSTGRES -> Servers.postgres();
            case MYSQL -> Servers.mysql();
            case MARIADB -> Servers.mariadb();
        };
    }

    /** A new database with a pool of its own. */
    HikariDataSource newDatabase() {
        return newDatabase("");
    }

    /** The same, with a statement that each connection begins with. */
    HikariDataSource newDatabase(String initSql) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server().createDatabase("existing").dataSource());
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(0);
        if (!initSql.isEmpty()) {
            config.setConnectionInitSql(initSql);
        }
        return new HikariDataSource(config);
    }
}
