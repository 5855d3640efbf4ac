package dev.postrider.service;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.postrider.internal.Internal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP server of the JDK that no client keeps waiting: requests are read and answered in a bounded time, on a bounded number of threads. Thread-safe;
 * close it.
 */
@Internal
public final class LimitedHttpServer implements AutoCloseable {

    private static final String ANSWER_SECONDS = "sun.net.httpserver.maxRspTime";

    /** Requests that are read or answered at the same time. */
    private static final int REQUESTS = 100;

    /** Connections that wait to be accepted. Beyond it a client tries again only after a second, or three. */
    private static final int BACKLOG = 1000;

    /** Limits of the JDK's server, in its own units: seconds, bytes and numbers. Without them a client may take for ever. */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime",
            "5",
            ANSWER_SECONDS,
            "10",
            "sun.net.httpserver.maxReqHeaderSize",
            "16384",
            "jdk.httpserver.maxConnections",
            "1000");

    static {
        // Read when the first server is made.
        LIMITS.forEach((limit, value) -> {
            if (System.getProperty(limit) == null) {
                System.setProperty(limit, value);
            }
        });
    }

    private final HttpServer server;
    private final RequestThreads threads = new RequestThreads(REQUESTS);

    private LimitedHttpServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
    }

    /** Takes the address, and answers nothing yet. Port 0 takes any free one. */
    public static LimitedHttpServer bind(InetSocketAddress address) throws IOException {
        return new LimitedHttpServer(HttpServer.create(address, BACKLOG));
    }

    /** After which time the server closes the connection of an answer that has not ended; empty if it never does. */
    public static Optional<Duration> longestAnswer() {
        return Optional.ofNullable(Long.getLong(ANSWER_SECONDS))
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    /** Before the start: who answers below a path. */
    public void add(String path, HttpHandler handler) {
        server.createContext(path, handler);
    }

    public void start() {
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
