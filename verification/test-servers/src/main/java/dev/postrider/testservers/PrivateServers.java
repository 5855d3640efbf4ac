package dev.postrider.testservers;

import java.util.Map;

/** Starts servers for one test each. */
final class PrivateServers {
    private PrivateServers() {}

    static PrivateServer start(Engine engine, Map<String, String> settings) {
        ServerDirectory directory = BuildDirectory.current().fresh(engine.kind().id());
        PrivateServer server = new Launcher(engine, settings).start(directory);
        System.err.println("Test server: " + server.description() + " (private)");
        return server;
    }
}
