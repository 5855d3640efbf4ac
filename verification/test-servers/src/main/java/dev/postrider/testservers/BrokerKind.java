package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** What differs between the kinds of broker as seen from outside. */
enum BrokerKind {
    RABBITMQ("RabbitMQ", "rabbitmq", "amqp", 5672, "POSTRIDER_TEST_RABBITMQ_URI") {
        /** The server answers the protocol's header with a frame of type 1: it has opened its doors. */
        @Override
        boolean answers(InputStream in, OutputStream out) throws IOException {
            out.write(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1});
            out.flush();
            return in.read() == 1;
        }
    },
    NATS("NATS", "nats", "nats", 4222, "POSTRIDER_TEST_NATS_URL") {
        /** The server greets with INFO. */
        @Override
        boolean answers(InputStream in, OutputStream out) throws IOException {
            return in.read() == 'I';
        }
    },
    KAFKA("Kafka", "kafka", "kafka", 9092, "POSTRIDER_TEST_KAFKA") {
        /** The server answers which requests it knows. */
        @Override
        boolean answers(InputStream in, OutputStream out) throws IOException {
            // Length 10, request 18 in version 0, correlation 1, no client id.
            out.write(new byte[] {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1});
            out.flush();
            return in.read() == 0;
        }
    };

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final String label;
    private final String id;
    private final String scheme;
    private final int usualPort;
    private final String variable;

    BrokerKind(String label, String id, String scheme, int usualPort, String variable) {
        this.label = label;
        this.id = id;
        this.scheme = scheme;
        this.usualPort = usualPort;
        this.variable = variable;
    }

    abstract boolean answers(InputStream in, OutputStream out) throws IOException;

    String label() {
        return label;
    }

    /** The name of this kind in directories. */
    String id() {
        return id;
    }

    String scheme() {
        return scheme;
    }

    int usualPort() {
        return usualPort;
    }

    /** The environment variable that names a server of this kind. */
    String variable() {
        return variable;
    }

    /** Whether a server of this kind takes clients there. */
    boolean isAt(String host, int port) {
        int millis = (int) PATIENCE.toMillis();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            return answers(socket.getInputStream(), socket.getOutputStream());
        } catch (IOException notYet) {
            return false;
        }
    }
}
