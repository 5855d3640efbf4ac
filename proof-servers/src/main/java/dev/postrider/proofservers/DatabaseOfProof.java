package dev.postrider.proofservers;

import dev.postrider.prove.server.StartedDatabase;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.PrivateServer;

/** A database on a server of its own. */
final class DatabaseOfProof implements StartedDatabase {

    private final PrivateServer server;
    private final Database database;

    DatabaseOfProof(PrivateServer server) {
        this.server = server;
        this.database = server.createDatabase("proof");
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
