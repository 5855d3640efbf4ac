package dev.postrider.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and a server and makes the network between them fail: bytes held back in one direction, connections
 * reset or refused, cut after a number of bytes, slowed down.
 *
 * <p>Holding back what the server answers is the hardest case for an outbox: the commit has happened, and the client never
 * learns of it. What holds for the proxy holds for every connection through it, also for later ones; a single connection is
 * treated alone by its {@link ProxiedConnection}. Needs no privileges. Thread-safe.
 *
 * <pre>{@code
 * try (TcpFaultProxy proxy = TcpFaultProxy.to("127.0.0.1", 5432)) {
 *     // connect to proxy.port()
 *     proxy.hold(Direction.TO_CLIENT);
 *     // commit: it happens, but the answer does not come
 *     proxy.resetAll();
 *     proxy.heal();
 * }
 * }</pre>
 */
public final class TcpFaultProxy implements AutoCloseable {

    /** Which way bytes flow. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final ServerSocket listener;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private final LinkFaults faults = new LinkFaults();
    private volatile InetSocketAddress server;
    private volatile boolean refuses;

    private TcpFaultProxy(InetSocketAddress server, ServerSocket listener) {
        this.server = server;
        this.listener = listener;
    }

    /** Starts a proxy to this server on a free port of the loopback address. */
    public static TcpFaultProxy to(String host, int port) {
        return to(host, port, 0);
    }

    /** Starts a proxy on this port of the loopback address, for servers that tell their clients where to connect to. */
    public static TcpFaultProxy to(String host, int port, int listenPort) {
        try {
            ServerSocket listener = new ServerSocket(listenPort, 100, InetAddress.getLoopbackAddress());
            TcpFaultProxy proxy = new TcpFaultProxy(new InetSocketAddress(host, port), listener);
            ProxyThreads.start("accept", proxy::acceptAll);
            return proxy;
        } catch (IOException failed) {
            throw new UncheckedIOException("No port for a proxy to " + host + ":" + port, failed);
        }
    }

    /** Where clients connect to, on the loopback address. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Bytes in this direction wait from now on, and so does the news that a side has closed its connection. */
    public void hold(Direction direction) {
        faults.hold(direction);
    }

    /** What was held in this direction goes on, nothing is missing. */
    public void release(Direction direction) {
        faults.release(direction);
    }

    /** Every portion of bytes takes this much longer, in both directions. */
    public void delay(Duration latency) {
        faults.delay(latency);
    }

    /** Each connection carries at most this much per second and direction; 0 means no bound. */
    public void throttle(long bytesPerSecond) {
        faults.throttle(bytesPerSecond);
    }

    /** Resets every connection, present and later, once it has carried this many bytes in this direction from now on. */
    public void cutAfter(Direction direction, long bytes) {
        faults.cutAfter(direction, bytes);
        connections.forEach(connection -> connection.countFromNow(direction));
    }

    /** New connections are reset at once; those that exist stay. */
    public void refuse() {
        refuses = true;
    }

    /** Resets all connections that exist, and leads new ones to another server: an address that moves, as by DNS. */
    public void moveTo(String host, int port) {
        server = new InetSocketAddress(host, port);
        resetAll();
    }

    /** Resets all connections that exist: both sides see an error, and what was held is gone. */
    public void resetAll() {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Ends all faults; what was held goes on. */
    public void heal() {
        refuses = false;
        faults.heal();
        connections.forEach(ProxiedConnection::heal);
    }

    /** The connections that are open now, oldest first. */
    public List<ProxiedConnection> connections() {
        return List.copyOf(connections);
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accept(listener.accept());
            } catch (IOException closedOrRefused) {
                // The proxy was closed, or the server is down: the client has seen its connection end.
            }
        }
    }

    private void accept(Socket client) throws IOException {
        if (refuses) {
            ProxiedConnection.reset(client);
            return;
        }
        Socket toServer = new Socket();
        try {
            toServer.connect(server, CONNECT_TIMEOUT_MILLIS);
        } catch (IOException unreachable) {
            ProxiedConnection.reset(client);
            throw unreachable;
        }
        ProxiedConnection connection = new ProxiedConnection(client, toServer, faults, connections::remove);
        connections.add(connection);
        connection.start();
    }

    /** Resets all connections and accepts no more. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            resetAll();
        }
    }
}
