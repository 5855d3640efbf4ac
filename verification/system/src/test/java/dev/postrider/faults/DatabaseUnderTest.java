package dev.postrider.faults;

import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.MariadbServer;
import dev.postrider.testservers.MysqlServer;
import dev.postrider.testservers.PostgresServer;
import dev.postrider.testservers.PrivateServer;
import dev.postrider.testservers.Servers;

/** The kinds of database that these tests run on. */
enum DatabaseUnderTest {
    POSTGRES,
    MYSQL,
    MARIADB;

    /** The server that the whole build shares. */
    DatabaseServer shared() {
        skipIfNotMeant();
        return switch (this) {
            case POSTGRES -> Servers.postgres();
            case MYSQL -> Servers.mysql();
            case MARIADB -> Servers.mariadb();
        };
    }

    /** A server that the test may crash. */
    PrivateServer startPrivate() {
        skipIfNotMeant();
        return switch (this) {
            case POSTGRES -> PostgresServer.startPrivate();
            case MYSQL -> MysqlServer.startPrivate();
            case MARIADB -> MariadbServer.startPrivate();
        };
    }

    private void skipIfNotMeant() {
        if (this != MYSQL) {
            Servers.skipWithTidb();
        }
    }
}
