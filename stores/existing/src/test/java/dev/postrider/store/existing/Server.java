package dev.postrider.store.existing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.util.Locale;

/** A real server. */
enum Server {
    POSTGRES,
    MYSQL,
    MARIADB;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private DatabaseServer server() {
        return switch (this) {
            case POSTGRES -> Servers.postgres();
            case MYSQL -> Servers.mysql();
            case MARIADB -> Servers.mariadb();
        };
    }

    Database newDatabase() {
        if (this != MYSQL) {
            Servers.skipWithTidb();
        }
        return server().createDatabase("existing");
    }

    /** A pool whose connections begin with this statement, if it is not empty. */
    static HikariDataSource pool(Database database, String initSql) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(0);
        if (!initSql.isEmpty()) {
            config.setConnectionInitSql(initSql);
        }
        return new HikariDataSource(config);
    }
}
