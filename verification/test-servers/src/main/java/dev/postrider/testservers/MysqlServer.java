package dev.postrider.testservers;

import java.util.Map;

/**
 * Starts MySQL servers for tests that crash them. Durability, isolation and binary log are the server's own defaults;
 * only memory is kept small.
 *
 * <pre>{@code
 * try (PrivateServer server = MysqlServer.startPrivate()) {
 *     server.killHard();
 *     server.restart();
 * }
 * }</pre>
 */
public final class MysqlServer {
    private MysqlServer() {}

    /** Starts a server with the usual settings and returns when it accepts connections. */
    public static PrivateServer startPrivate() {
        return startPrivate(Map.of());
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @param settings server options without leading dashes that replace or add to the usual ones; an empty value means
     *     an option without value; TiDB, which the profile of that name starts instead, gets none of them
     */
    public static PrivateServer startPrivate(Map<String, String> settings) {
        return Servers.isTidbForMysql() ? TidbServer.startPrivate() : PrivateServers.start(new MysqlEngine(), settings);
    }
}
