package dev.postrider.launcherservers;

import dev.postrider.servers.StartedDatabase;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.PrivateServer;
import java.util.OptionalLong;

/** A database on a server of its own. */
final class OwnDatabase implements StartedDatabase {

    private final PrivateServer server;
    private final Database database;

    OwnDatabase(PrivateServer server) {
        this.server = server;
        this.database = server.createDatabase("own");
    }

    @Override
    public DatabaseSettings settings() {
        DatabaseSettings.Builder settings =
                new DatabaseSettings.Builder().url(database.jdbcUrl()).user(database.user());
        return (database.password().isEmpty() ? settings : settings.password(Secret.of(database.password()))).build();
    }

    @Override
    public String description() {
        return server.description();
    }

    @Override
    public OptionalLong processId() {
        return server.processId();
    }

    @Override
    public void killHard() {
        server.killHard();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
    }
}
