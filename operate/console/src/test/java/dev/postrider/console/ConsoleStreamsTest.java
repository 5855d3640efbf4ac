package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
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
        try (ConsoleStreams streams = new ConsoleStreams(2, Duration.ofMinutes(1))) {
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
        try (ConsoleStreams streams = new ConsoleStreams(1, Duration.ofMillis(200));
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
}
