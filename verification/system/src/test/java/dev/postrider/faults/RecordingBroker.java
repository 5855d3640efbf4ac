package dev.postrider.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A broker in the test's JVM: keeps every message that it acknowledges in the order of arrival, and fails as it is told to.
 *
 * <p>Each connection has a thread, on which the rule is asked; a rule that blocks delays that connection alone. Thread-safe.
 */
final class RecordingBroker implements AutoCloseable {

    private final ServerSocket listener;
    private final List<BrokerSession> sessions = new CopyOnWriteArrayList<>();
    private final List<Delivery> log = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private volatile Function<Delivery, Answer> rule = delivery -> Answer.ACKNOWLEDGE;
    private volatile boolean refuses;

    RecordingBroker() {
        try {
            this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Threads.start("broker", this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Decides from now on what becomes of each message; called on the threads of connections. */
    void answer(Function<Delivery, Answer> newRule) {
        rule = newRule;
    }

    /** From now on every connection ends at once, until {@link #comeBack()}: an outage. */
    void goDown() {
        refuses = true;
        dropConnections();
    }

    void comeBack() {
        refuses = false;
    }

    void dropConnections() {
        sessions.forEach(BrokerSession::close);
    }

    /** Sends the acknowledgements that were withheld. */
    void releaseWithheld() {
        sessions.forEach(BrokerSession::releaseWithheld);
    }

    /** All that has arrived so far, in the order of arrival. */
    List<Delivery> deliveries() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    int count() {
        synchronized (log) {
            return log.size();
        }
    }

    boolean has(String id) {
        synchronized (log) {
            return ids.contains(id);
        }
    }

    Answer decide(Delivery delivery) {
        Answer answer = rule.apply(delivery);
        if (answer == Answer.ACKNOWLEDGE || answer == Answer.WITHHOLD) {
            synchronized (log) {
                log.add(delivery);
                ids.add(delivery.id());
            }
        }
        return answer;
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accept(listener.accept());
            } catch (IOException closed) {
                // The broker was closed, or a client has gone already.
            }
        }
    }

    private void accept(Socket socket) throws IOException {
        BrokerSession session = new BrokerSession(this, socket, sessions::remove);
        sessions.add(session);
        if (refuses) {
            session.close();
        } else {
            Threads.start("broker-session", session);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            dropConnections();
        }
    }
}
