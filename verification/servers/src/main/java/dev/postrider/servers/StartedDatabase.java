package dev.postrider.servers;

/**
 * An empty database on a server that was started for a proof or a benchmark.
 *
 * @param url without user and password
 * @param password empty if the user needs none
 */
public record StartedDatabase(RestartableServer server, String url, String user, String password)
        implements AutoCloseable {

    /** Ends the server. */
    @Override
    public void close() {
        server.close();
    }
}
