package dev.postrider.spi.toybroker;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.internal.Link;
import dev.postrider.spi.internal.PendingSend;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One connection to the broker: numbered frames go out, answers come back in any order. */
final class ToyLink implements Link<ToyLink.Frame> {

    static final int MAX_BYTES = 2_000_000;

    /** What goes over the wire. */
    record Frame(String topic, byte[] body) {}

    private final Socket socket;
    private final DataOutputStream out;
    private final Map<Long, PendingSend<Frame>> outstanding = new ConcurrentHashMap<>();
    private long number;

    private ToyLink(Socket socket) throws IOException {
        this.socket = socket;
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static ToyLink open(int port) throws NoLinkException {
        try {
            ToyLink link = new ToyLink(new Socket(InetAddress.getLoopbackAddress(), port));
            Thread reader = new Thread(link::readAnswers, "toy-answers");
            reader.setDaemon(true);
            reader.start();
            return link;
        } catch (IOException unreachable) {
            throw new NoLinkException("The broker cannot be reached: " + unreachable.getMessage(), unreachable);
        }
    }

    private void readAnswers() {
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            while (true) {
                long answered = in.readLong();
                byte code = in.readByte();
                PendingSend<Frame> send = outstanding.remove(answered);
                if (send != null) {
                    send.end(ToyFailures.of(code, send.wire().topic()));
                }
            }
        } catch (IOException lost) {
            cut(ToyFailures.ofLostConnection(lost));
        }
    }

    @Override
    public boolean isUsable() {
        return !socket.isClosed();
    }

    @Override
    public Optional<DeliveryResult> refusal(Frame frame) {
        return frame.body().length <= MAX_BYTES ? Optional.empty() : Optional.of(ToyFailures.ofSize(frame));
    }

    @Override
    public void publish(PendingSend<Frame> send) throws IOException {
        outstanding.put(++number, send);
        out.writeLong(number);
        out.writeUTF(send.wire().topic());
        out.writeInt(send.wire().body().length);
        out.write(send.wire().body());
        out.flush();
    }

    @Override
    public DeliveryResult failed(Throwable failure) {
        DeliveryResult outcome = ToyFailures.ofLostConnection(failure);
        cut(outcome);
        return outcome;
    }

    @Override
    public void cut(DeliveryResult outcome) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // That is what was wanted.
        }
        outstanding.values().forEach(send -> send.end(outcome));
        outstanding.clear();
    }

    @Override
    public void cutAsLost() {
        cut(ToyFailures.ofLostConnection(new IOException("end of stream")));
    }

    @Override
    public void close() {
        cut(DeliveryResult.outage("The destination was closed"));
    }
}
