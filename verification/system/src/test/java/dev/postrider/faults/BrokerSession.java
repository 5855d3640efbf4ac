package dev.postrider.faults;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The broker's side of one connection. */
final class BrokerSession implements Runnable {

    private final RecordingBroker broker;
    private final Socket socket;
    private final Consumer<BrokerSession> onEnd;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Queue<Long> withheld = new ConcurrentLinkedQueue<>();

    BrokerSession(RecordingBroker broker, Socket socket, Consumer<BrokerSession> onEnd) throws IOException {
        this.broker = broker;
        this.socket = socket;
        this.onEnd = onEnd;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    @Override
    public void run() {
        try {
            String relay = in.readUTF();
            Wire.writeAnswer(out, 0, Answer.ACKNOWLEDGE);
            while (true) {
                handle(in.readLong(), Wire.readMessage(in, relay));
            }
        } catch (IOException ended) {
            close();
        }
    }

    private void handle(long number, Delivery delivery) throws IOException {
        Answer answer = broker.decide(delivery);
        if (answer == Answer.DROP_CONNECTION) {
            throw new IOException("dropped");
        }
        if (answer == Answer.WITHHOLD) {
            withheld.add(number);
        } else {
            Wire.writeAnswer(out, number, answer);
        }
    }

    void releaseWithheld() {
        try {
            for (Long number = withheld.poll(); number != null; number = withheld.poll()) {
                Wire.writeAnswer(out, number, Answer.ACKNOWLEDGE);
            }
        } catch (IOException ended) {
            close();
        }
    }

    void close() {
        try (socket) {
            onEnd.accept(this);
        } catch (IOException alreadyClosed) {
            // That is what was wanted.
        }
    }
}
