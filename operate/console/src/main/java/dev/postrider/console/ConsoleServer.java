package dev.postrider.console;

import dev.postrider.service.LimitedHttpServer;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.console.ConsoleSettings;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The console alone, at a port of its own. Thread-safe; close it. */
public final class ConsoleServer implements AutoCloseable {

    private final LimitedHttpServer server;
    private final ConsoleHttp part;

    private ConsoleServer(LimitedHttpServer server, ConsoleHttp part) {
        this.server = server;
        this.part = part;
    }

    /**
     * Begins to answer.
     *
     * @param address port 0 takes any free one
     * @param console closed with the server
     */
    public static ConsoleServer start(InetSocketAddress address, ConsoleSettings settings, Console console) {
        try {
            LimitedHttpServer server = LimitedHttpServer.bind(address);
            ConsoleHttp part = new ConsoleHttp(settings, console);
            server.add(part.path(), part::handle);
            server.start();
            return new ConsoleServer(server, part);
        } catch (IOException taken) {
            console.close();
            throw new ConfigException(
                    "Cannot listen at %s: %s. Choose another port, or 0 for any".formatted(address, taken.getMessage()),
                    taken);
        }
    }

    /** How many browsers follow how the outboxes stand. */
    int streams() {
        return part.streams();
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        part.close();
    }
}
