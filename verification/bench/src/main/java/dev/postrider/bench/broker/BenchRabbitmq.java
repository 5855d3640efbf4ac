package dev.postrider.bench.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.spi.Destination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * A RabbitMQ node and a durable queue; the bare client publishes persistent, mandatory messages on one channel and has up to
 * {@value #WINDOW} of them unconfirmed.
 */
final class BenchRabbitmq implements BenchBroker {

    private static final int WINDOW = 1000;
    private static final int PERSISTENT = 2;

    private final String uri;
    private final Connection connection;
    private final String name = "postrider-bench-" + UUID.randomUUID();

    BenchRabbitmq(String uri) throws Exception {
        this.uri = uri;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        this.connection = factory.newConnection("postrider-bench");
        try (Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(name, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(name, true, false, false, Map.of());
            channel.queueBind(name, name, "#");
        }
    }

    @Override
    public Destination destination() {
        return RabbitmqDestination.builder("rabbit")
                .uri(uri)
                .exchange(message -> name)
                .build();
    }

    @Override
    public void send(List<BareMessage> messages, DrainTimer timer) throws Exception {
        List<BasicProperties> properties =
                messages.stream().map(BenchRabbitmq::properties).toList();
        try (Channel channel = connection.createChannel()) {
            Confirms confirms = new Confirms(timer);
            channel.addConfirmListener(confirms::acked, (tag, isMultiple) -> {});
            channel.confirmSelect();
            for (int i = 0; i < messages.size(); i++) {
                confirms.window.acquire();
                channel.basicPublish(
                        name,
                        "OrderPlaced",
                        true,
                        properties.get(i),
                        messages.get(i).payload());
            }
            channel.waitForConfirmsOrDie();
            confirms.window.acquire(WINDOW);
        }
    }

    private static BasicProperties properties(BareMessage message) {
        Map<String, Object> headers = new LinkedHashMap<>();
        message.attributes().forEach((attribute, value) -> {
            if (!attribute.equals("type")) {
                headers.put("cloudEvents:" + attribute, value);
            }
        });
        headers.put("cloudEvents:partitionkey", message.key());
        return new BasicProperties.Builder()
                .messageId(message.id())
                .type(message.attributes().get("type"))
                .contentType(message.contentType())
                .deliveryMode(PERSISTENT)
                .headers(headers)
                .build();
    }

    @Override
    public long count() throws Exception {
        try (Channel channel = connection.createChannel()) {
            return channel.messageCount(name);
        }
    }

    @Override
    public void clear() throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.queuePurge(name);
        }
    }

    @Override
    public void remove() throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.queueDelete(name);
            channel.exchangeDelete(name);
        }
        connection.close();
    }

    /** Counts confirms, which come on one thread and in order. */
    private static final class Confirms {

        private final Semaphore window = new Semaphore(WINDOW);
        private final DrainTimer timer;
        private long confirmed;

        Confirms(DrainTimer timer) {
            this.timer = timer;
        }

        void acked(long tag, boolean isMultiple) {
            long before = confirmed;
            confirmed = isMultiple ? Math.max(confirmed, tag) : confirmed + 1;
            timer.reached(confirmed);
            window.release((int) (confirmed - before));
        }
    }
}
