package dev.postrider.testservers;

import java.util.Map;

/**
 * Starts PostgreSQL servers for tests that crash them. Writes reach the disk before a commit returns ({@code fsync=on}),
 * and up to 32 prepared transactions may be open.
 *
 * <pre>{@code
 * try (PrivateServer server = PostgresServer.startPrivate()) {
 *     server.killHard();
 *     server.restart();
 * }
 * }</pre>
 */
public final class PostgresServer {
    private PostgresServer() {}

    /** Starts a server with the usual settings and returns when it accepts connections. */
    public static PrivateServer startPrivate() {
        return startPrivate(Map.of());
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @param settings server settings that replace or add to the usual ones, such as {@code fsync} to {@code off}
     */
    public static PrivateServer startPrivate(Map<String, String> settings) {
        return PrivateServers.start(new PostgresEngine(), settings);
    }

    /**
     * Starts a streaming replica of a private server and returns when it answers reading queries.
     *
     * @param primary the server to follow; it must run
     */
    public static PostgresStandby startStandby(PrivateServer primary) {
        return PostgresStandby.of(primary);
    }
}
