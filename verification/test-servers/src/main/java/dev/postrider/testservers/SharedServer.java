package dev.postrider.testservers;

import java.util.Optional;
import java.util.Properties;

/** The one server of its kind in a build: the first JVM that needs it starts it, later ones join. */
final class SharedServer {
    private final Engine engine;
    private final BuildDirectory build;

    private SharedServer(Engine engine, BuildDirectory build) {
        this.engine = engine;
        this.build = build;
    }

    static SharedServer of(Engine engine) {
        return new SharedServer(engine, BuildDirectory.current());
    }

    DatabaseServer startOrJoin() {
        String name = engine.kind().id();
        return FileLocks.holding(
                build.lockOf(name), () -> running(build.shared(name)).orElseGet(() -> start(build.shared(name))));
    }

    private Optional<DatabaseServer> running(ServerDirectory directory) {
        if (!directory.hasAddress()) {
            return Optional.empty();
        }
        Properties address = directory.readAddress();
        int port = Integer.parseInt(address.getProperty("port"));
        var server = new DatabaseServer(engine.kind(), engine.kind().local(port), address.getProperty("origin"));
        if (ReadyCheck.accepts(server)) {
            return Optional.of(server);
        }
        throw new ServerUnavailableException(server.description()
                + ", which all tests share, does not answer any more. Its log: " + directory.log());
    }

    private DatabaseServer start(ServerDirectory directory) {
        PrivateServer server = new Launcher(engine, engine.sharedSettings()).start(directory);
        directory.writeAddress(server.port(), server.origin());
        return server;
    }
}
