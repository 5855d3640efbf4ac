package dev.postrider.spi.toybroker;

import dev.postrider.internal.HeaderJson;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testkit.DestinationFixture;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A broker behind a socket, in this process: keeps what it was sent, then answers on another thread. */
final class ToyBroker implements DestinationFixture {

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Map<String, List<OutboxMessage>> topics = new ConcurrentHashMap<>();
    private volatile boolean isSilent;

    ToyBroker() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        threads.execute(this::accept);
    }

    @Override
    public ToyDestination open() {
        return ToyDestination.open("toy", server.getLocalPort());
    }

    @Override
    public String newTopic() {
        topics.put("orders", new CopyOnWriteArrayList<>());
        return "orders";
    }

    /** What it has acknowledged, it has. */
    @Override
    public List<OutboxMessage> arrived(String topic, int count) {
        return new ArrayList<>(topics.get(topic));
    }

    void answerAgain() {
        isSilent = false;
    }

    void fallSilent() {
        isSilent = true;
    }

    void dropConnections() {
        connections.forEach(ToyBroker::drop);
    }

    private static void drop(Socket connection) {
        try {
            connection.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                threads.execute(() -> serve(connection));
            }
        } catch (IOException closed) {
            dropConnections();
        }
    }

    private void serve(Socket connection) {
        ExecutorService answers = Executors.newSingleThreadExecutor();
        try (connection;
                DataInputStream in = new DataInputStream(connection.getInputStream());
                DataOutputStream out = new DataOutputStream(connection.getOutputStream())) {
            while (true) {
                long number = in.readLong();
                String topic = in.readUTF();
                byte code = take(topic, in.readNBytes(in.readInt()));
                if (!isSilent) {
                    answers.execute(() -> answer(out, number, code));
                }
            }
        } catch (IOException lost) {
            connections.remove(connection);
        } finally {
            answers.shutdown();
        }
    }

    private byte take(String topic, byte[] body) {
        List<OutboxMessage> kept = topics.get(topic);
        if (kept == null) {
            return ToyFailures.NO_SUCH_TOPIC;
        }
        kept.add(message(topic, HeaderJson.read(new String(body, StandardCharsets.UTF_8))));
        return ToyFailures.TAKEN;
    }

    private static OutboxMessage message(String topic, Map<String, String> fields) {
        OutboxMessage.Builder message = OutboxMessage.builder(topic)
                .id(MessageId.of(fields.get("id")))
                .type(fields.get("type"))
                .contentType(fields.get("contentType"))
                .payload(Base64.getDecoder().decode(fields.get("payload")));
        fields.forEach((name, value) -> {
            if (name.equals("key")) {
                message.key(value);
            } else if (name.startsWith("header ")) {
                message.header(name.substring("header ".length()), value);
            }
        });
        return message.build();
    }

    private static void answer(DataOutputStream out, long number, byte code) {
        try {
            out.writeLong(number);
            out.writeByte(code);
        } catch (IOException lost) {
            // Its client learns of that by itself.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        dropConnections();
        threads.shutdown();
    }
}
