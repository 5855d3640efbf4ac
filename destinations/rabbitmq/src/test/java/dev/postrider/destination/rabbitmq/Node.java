package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.testservers.PrivateRabbitmq;
import dev.postrider.testservers.RabbitmqServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The RabbitMQ node of these tests, seen by a client that has nothing in common with the destination. */
final class Node {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofMillis(300);

    private static @Nullable PrivateRabbitmq started;

    private Node() {}

    /** One for all tests of this JVM, which stop and start it in turn; it ends with the build. */
    static synchronized PrivateRabbitmq server() {
        if (started == null) {
            started = RabbitmqServer.startPrivate();
        }
        return started;
    }

    static RabbitmqDestinationBuilder destination() {
        return destination(server().port());
    }

    static RabbitmqDestinationBuilder destination(int port) {
        return RabbitmqDestination.builder("rabbit")
                .addresses(server().host() + ":" + port)
                .credentials(server().user(), server().password())
                .maxInFlight(300);
    }

    /** The same builder, set up to reach this node. */
    static <B extends RabbitmqConnectionBuilder<?>> B access(B builder) {
        return access(builder, server().port());
    }

    static <B extends RabbitmqConnectionBuilder<?>> B access(B builder, int port) {
        builder.addresses(server().host() + ":" + port);
        builder.credentials(server().user(), server().password());
        return builder;
    }

    static void deleteQueues(String... queues) {
        inChannel(channel -> {
            for (String queue : queues) {
                channel.queueDelete(queue);
            }
            return queues;
        });
    }

    /** An exchange of a new name, with a durable queue of the same name that gets everything. */
    static String newExchangeWithQueue() {
        return newExchangeWithQueue(Map.of());
    }

    static String newExchangeWithQueue(Map<String, Object> queueArguments) {
        String name = newExchange();
        inChannel(channel -> {
            channel.queueDeclare(name, true, false, false, queueArguments);
            channel.queueBind(name, name, "#");
            return name;
        });
        return name;
    }

    /** A name that is missing so far. */
    static void declareExchangeWithQueue(String name) {
        inChannel(channel -> {
            channel.exchangeDeclare(name, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(name, true, false, false, Map.of());
            return channel.queueBind(name, name, "#");
        });
    }

    static String newExchange() {
        String name = newName();
        inChannel(channel -> channel.exchangeDeclare(name, BuiltinExchangeType.TOPIC, true));
        return name;
    }

    static String newName() {
        return "orders-" + UUID.randomUUID();
    }

    /** What is in a queue, which stays as it was; waits for {@code count} different ids, but not for ever. */
    static List<OutboxMessage> messagesIn(String queue, int count) {
        return inChannel(channel -> {
            BlockingQueue<OutboxMessage> incoming = new LinkedBlockingQueue<>();
            channel.basicConsume(
                    queue,
                    false,
                    (tag, delivery) -> incoming.add(EventMapping.read(
                            delivery.getEnvelope().getExchange(), delivery.getProperties(), delivery.getBody())),
                    tag -> {});
            return collect(incoming, count);
        });
    }

    private static List<OutboxMessage> collect(BlockingQueue<OutboxMessage> incoming, int count) {
        List<OutboxMessage> all = new ArrayList<>();
        Set<MessageId> ids = new HashSet<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Duration patience = ids.size() < count ? Duration.ofNanos(end - System.nanoTime()) : GRACE;
            OutboxMessage next = poll(incoming, patience);
            if (next == null) {
                return all;
            }
            all.add(next);
            ids.add(next.id());
        }
    }

    private static @Nullable OutboxMessage poll(BlockingQueue<OutboxMessage> incoming, Duration patience) {
        try {
            return incoming.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    static <T> T inChannel(Work<T> work) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(server().host());
        factory.setPort(server().port());
        factory.setUsername(server().user());
        factory.setPassword(server().password());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            return work.with(channel);
        } catch (IOException | TimeoutException failed) {
            throw new IllegalStateException("The test's own client failed", failed);
        }
    }

    interface Work<T> {
        T with(Channel channel) throws IOException;
    }
}
