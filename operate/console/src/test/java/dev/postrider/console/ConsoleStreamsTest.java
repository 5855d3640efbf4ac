package dev.postrider.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.LimitedHttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams take nothing from others, and nobody can hold them for ever. */
@Timeout(60)
class ConsoleStreamsTest {

    private static final byte[] LARGE = new byte[1 << 20];

    @Test
    void letsInOnlySoManyAndAnotherWhenOneHasEnded() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        Feed waiting = () -> {
            goOn.await();
            return Optional.empty();
        };
        CountDownLatch ended = new CountDownLatch(2);
        try (ConsoleStreams streams = new ConsoleStreams(2, Duration.ofMinutes(1), Duration.ofHours(1))) {
            assertThat(streams.start(waiting, OutputStream::nullOutputStream, ended::countDown))
                    .isTrue();
            assertThat(streams.start(waiting, OutputStream::nullOutputStream, ended::countDown))
                    .isTrue();
            assertThat(streams.start(waiting, OutputStream::nullOutputStream, () -> {}))
                    .isFalse();
            goOn.countDown();
            ended.await();
            while (!streams.start(waiting, OutputStream::nullOutputStream, () -> {})) {
                Thread.onSpinWait();
            }
        }
    }

    /** A browser that has stopped reading, over a real connection whose buffers are full. */
    @Test
    void givesUpABrowserThatDoesNotRead() throws IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        try (ConsoleStreams streams = new ConsoleStreams(1, Duration.ofMillis(200), Duration.ofHours(1));
                ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel browser = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            streams.start(() -> Optional.of(LARGE), () -> Channels.newOutputStream(accepted), ended::countDown);
            ended.await();

            assertThat(accepted.isOpen()).isFalse();
            assertThat(browser.read(ByteBuffer.allocate(1))).isPositive();
        }
    }

    /** The same through the server that the console has. */
    @Test
    void givesUpABrowserThatDoesNotReadFromAnHttpServer() throws IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ConsoleStreams streams = new ConsoleStreams(1, Duration.ofMillis(200), Duration.ofHours(1));
                LimitedHttpServer server = LimitedHttpServer.bind(any)) {
            server.add(
                    "/",
                    exchange -> streams.start(
                            () -> Optional.of(LARGE),
                            () -> {
                                exchange.sendResponseHeaders(200, 0);
                                return exchange.getResponseBody();
                            },
                            ended::countDown));
            server.start();
            long begin = System.nanoTime();
            try (Socket browser = new Socket(any.getAddress(), server.port())) {
                browser.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
                ended.await();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("not the server's own limit")
                    .isLessThan(LimitedHttpServer.longestAnswer().orElseThrow());
        }
    }

    @Test
    void endsAStreamAfterItsTimeAsIfItWereOver() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger lines = new AtomicInteger();
        try (ConsoleStreams streams = new ConsoleStreams(1, Duration.ofMinutes(1), Duration.ZERO)) {
            streams.start(
                    () -> Optional.of(new byte[] {(byte) lines.incrementAndGet()}),
                    OutputStream::nullOutputStream,
                    ended::countDown);
            ended.await();
        }
        assertThat(lines).hasValue(1);
    }
}
