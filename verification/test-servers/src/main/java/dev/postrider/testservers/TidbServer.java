package dev.postrider.testservers;

import java.util.Map;

/**
 * Starts TiDB servers for tests that crash them, each one process with its embedded storage.
 *
 * <pre>{@code
 * try (PrivateServer server = TidbServer.startPrivate()) {
 *     server.killHard();
 *     server.restart();
 * }
 * }</pre>
 */
public final class TidbServer {
    private TidbServer() {}

    /** Starts a server with the usual settings and returns when it accepts connections. */
    public static PrivateServer startPrivate() {
        return startPrivate(Map.of());
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @param settings flags of {@code tidb-server} without leading dashes
     */
    public static PrivateServer startPrivate(Map<String, String> settings) {
        return PrivateServers.start(new TidbEngine(), settings);
    }
}
