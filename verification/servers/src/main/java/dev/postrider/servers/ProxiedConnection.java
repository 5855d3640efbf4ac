package dev.postrider.servers;

import static java.util.Objects.requireNonNull;

import dev.postrider.servers.TcpFaultProxy.Direction;
import java.io.IOException;
import java.net.Socket;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One client's connection through a {@link TcpFaultProxy}. Thread-safe. */
public final class ProxiedConnection {

    private final Socket client;
    private final Socket server;
    private final LinkFaults ownFaults = new LinkFaults();
    private final Map<Direction, ProxyPump> pumps = new EnumMap<>(Direction.class);
    private final List<LinkFaults> faults;
    private final Consumer<ProxiedConnection> onEnd;

    ProxiedConnection(Socket client, Socket server, LinkFaults shared, Consumer<ProxiedConnection> onEnd)
            throws IOException {
        this.client = client;
        this.server = server;
        this.faults = List.of(shared, ownFaults);
        this.onEnd = onEnd;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        pumps.put(Direction.TO_SERVER, new ProxyPump(Direction.TO_SERVER, client, server, faults, this::end));
        pumps.put(Direction.TO_CLIENT, new ProxyPump(Direction.TO_CLIENT, server, client, faults, this::end));
    }

    void start() {
        pumps.values().forEach(pump -> ProxyThreads.start("pump", pump));
    }

    /** Bytes of this connection in this direction wait from now on. */
    public void hold(Direction direction) {
        ownFaults.hold(direction);
    }

    /** What was held of this connection goes on, unless the proxy as a whole holds it. */
    public void release(Direction direction) {
        ownFaults.release(direction);
    }

    /** How many bytes have gone through in this direction. */
    public long carried(Direction direction) {
        return requireNonNull(pumps.get(direction)).carried();
    }

    /** Ends the connection with an error on both sides. */
    public void reset() {
        end();
    }

    void countFromNow(Direction direction) {
        requireNonNull(pumps.get(direction)).countFromNow();
    }

    void heal() {
        ownFaults.heal();
    }

    private void end() {
        reset(client);
        reset(server);
        faults.forEach(LinkFaults::wake);
        onEnd.accept(this);
    }

    static void reset(Socket socket) {
        try (socket) {
            // A close without lingering sends RST instead of FIN.
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            // That is what was wanted.
        }
    }
}
