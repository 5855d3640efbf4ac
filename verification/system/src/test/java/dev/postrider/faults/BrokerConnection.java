package dev.postrider.faults;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/** One connection of a {@link BrokerDestination}. */
final class BrokerConnection implements Closeable {

    private static final int TICKS_PER_TIMEOUT = 10;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final long timeout;
    private final ConcurrentSkipListMap<Long, PendingSend> outstanding = new ConcurrentSkipListMap<>();
    private long lastNumber;

    private record PendingSend(CompletableFuture<DeliveryResult> result, long since) {}

    private BrokerConnection(Socket socket, Duration timeout) throws IOException {
        this.socket = socket;
        this.timeout = timeout.toNanos();
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Connects and exchanges greetings. */
    static BrokerConnection open(String relay, int port, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) timeout.toMillis() / TICKS_PER_TIMEOUT);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) timeout.toMillis());
            BrokerConnection connection = new BrokerConnection(socket, timeout);
            connection.greet(relay);
            Threads.start("broker-answers", connection::readAnswers);
            return connection;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    private void greet(String relay) throws IOException {
        out.writeUTF(relay);
        out.flush();
        in.readLong();
        Wire.readAnswer(in);
    }

    synchronized CompletableFuture<DeliveryResult> send(OutboxMessage message) {
        PendingSend sending = new PendingSend(new CompletableFuture<>(), System.nanoTime());
        long number = ++lastNumber;
        outstanding.put(number, sending);
        try {
            Wire.writeMessage(out, number, message);
        } catch (IOException failed) {
            close();
        }
        if (isClosed()) {
            failOutstanding("The connection is closed");
        }
        return sending.result();
    }

    private void readAnswers() {
        try {
            while (true) {
                readAnswer();
                requireNothingOverdue();
            }
        } catch (IOException lost) {
            close();
            failOutstanding(lost.toString());
        }
    }

    private void readAnswer() throws IOException {
        in.mark(Wire.ANSWER_BYTES);
        try {
            long number = in.readLong();
            DeliveryResult result = resultOf(Wire.readAnswer(in));
            outstanding.remove(number).result().complete(result);
        } catch (SocketTimeoutException quiet) {
            in.reset();
        }
    }

    private void requireNothingOverdue() throws IOException {
        var oldest = outstanding.firstEntry();
        long allowed = timeout - 2 * timeout / TICKS_PER_TIMEOUT;
        if (oldest != null && System.nanoTime() - oldest.getValue().since() > allowed) {
            throw new IOException("No answer in time");
        }
    }

    private static DeliveryResult resultOf(Answer answer) {
        return switch (answer) {
            case RETRY -> DeliveryResult.retry("The broker says later");
            case REJECT -> DeliveryResult.reject("The broker says never");
            default -> DeliveryResult.DELIVERED;
        };
    }

    private void failOutstanding(String reason) {
        for (var first = outstanding.pollFirstEntry(); first != null; first = outstanding.pollFirstEntry()) {
            first.getValue().result().complete(DeliveryResult.outage(reason));
        }
    }

    boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
