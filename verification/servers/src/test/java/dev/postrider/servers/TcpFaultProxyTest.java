package dev.postrider.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.servers.TcpFaultProxy.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each fault alone, between a client and a server that is driven by the test. */
class TcpFaultProxyTest {

    private final ServerSocket server = newServer();
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final TcpFaultProxy proxy = TcpFaultProxy.to("127.0.0.1", server.getLocalPort());
    private final List<Socket> opened = new ArrayList<>();

    TcpFaultProxyTest() {
        ProxyThreads.start("test-server", () -> {
            try {
                while (true) {
                    accepted.add(server.accept());
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
        for (Socket socket : opened) {
            socket.close();
        }
    }

    @Test
    void carriesBytesInBothDirections() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        write(client, "question");
        assertThat(read(peer, 8)).isEqualTo("question");
        write(peer, "answer");
        assertThat(read(client, 6)).isEqualTo("answer");
    }

    @Test
    void holdsAnswersWhileQuestionsGoThrough() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        proxy.hold(Direction.TO_CLIENT);
        write(client, "commit");
        assertThat(read(peer, 6)).isEqualTo("commit");
        write(peer, "done");
        assertNothingArrives(client);

        proxy.release(Direction.TO_CLIENT);

        assertThat(read(client, 4)).isEqualTo("done");
    }

    @Test
    void hidesFromTheServerThatAClientHasGone() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        proxy.hold(Direction.TO_SERVER);
        client.close();
        assertNothingArrives(peer);

        proxy.heal();

        assertThatThrownBy(() -> read(peer, 1))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void holdsOneConnectionAlone() throws Exception {
        Socket held = connect();
        Socket heldPeer = peer();
        Socket free = connect();
        Socket freePeer = peer();
        proxy.connections().get(0).hold(Direction.TO_CLIENT);
        write(heldPeer, "a");
        write(freePeer, "b");
        assertThat(read(free, 1)).isEqualTo("b");
        assertNothingArrives(held);
    }

    @Test
    void resetsConnectionsOnBothSides() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        proxy.resetAll();
        assertThatThrownBy(() -> read(client, 1)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> read(peer, 1)).isInstanceOf(SocketException.class);
        assertThat(proxy.connections()).isEmpty();
    }

    @Test
    void dropsWhatWasHeldWithAReset() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        proxy.hold(Direction.TO_SERVER);
        write(client, "lost");
        assertNothingArrives(peer);
        proxy.resetAll();
        proxy.heal();
        assertThatThrownBy(() -> read(peer, 1)).isInstanceOf(SocketException.class);
    }

    @Test
    void cutsInTheMiddleOfAMessage() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        write(client, "before");
        assertThat(read(peer, 6)).isEqualTo("before");
        proxy.cutAfter(Direction.TO_SERVER, 3);
        write(client, "message");
        assertThatThrownBy(() -> read(peer, 7)).isInstanceOf(IOException.class);
    }

    @Test
    void refusesNewConnectionsUntilHealed() throws Exception {
        proxy.refuse();
        assertThatThrownBy(() -> read(connect(), 1)).isInstanceOf(SocketException.class);
        proxy.heal();
        write(connect(), "x");
        assertThat(read(peer(), 1)).isEqualTo("x");
    }

    @Test
    void slowsDown() throws Exception {
        Socket client = connect();
        Socket peer = peer();
        proxy.delay(Duration.ofMillis(50));
        proxy.throttle(1000);
        long start = System.nanoTime();
        write(client, "x".repeat(50));
        read(peer, 50);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void endsTheClientsConnectionWhenTheServerIsDown() throws Exception {
        // Bound but deaf: the port of a closed server could be anybody's by now.
        try (Socket down = new Socket()) {
            down.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (TcpFaultProxy toNobody = TcpFaultProxy.to("127.0.0.1", down.getLocalPort());
                    Socket client = new Socket(InetAddress.getLoopbackAddress(), toNobody.port())) {
                assertThatThrownBy(() -> read(opened(client), 1)).isInstanceOf(SocketException.class);
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        return opened(socket);
    }

    private Socket peer() throws Exception {
        Socket socket = accepted.poll(10, TimeUnit.SECONDS);
        while (proxy.connections().isEmpty()) {
            // The server has accepted the connection before the proxy has noted it.
            Thread.sleep(1);
        }
        return opened(socket);
    }

    private Socket opened(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        opened.add(socket);
        return socket;
    }

    private static void assertNothingArrives(Socket socket) throws IOException {
        socket.setSoTimeout(200);
        assertThatThrownBy(() -> read(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(10_000);
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(Socket socket, int length) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("ended after " + bytes.length + " bytes");
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static ServerSocket newServer() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
