package dev.postrider.prove.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.internal.SafeText;
import dev.postrider.prove.ProofException;
import dev.postrider.prove.check.Arrival;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An exchange of RabbitMQ with one quorum queue, which keeps the order of all. */
final class RabbitmqProofBroker implements ProofBroker {

    private final String uri;
    private final String name;

    RabbitmqProofBroker(String uri, String name) {
        this.uri = uri;
        this.name = name;
    }

    @Override
    public void prepare() {
        run("prepare exchange and queue " + name, channel -> {
            channel.exchangeDeclare(name, "topic", true);
            channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
            return channel.queueBind(name, name, "#");
        });
    }

    /** One by one: whatever is in the queue at all is the answer to a get. */
    @Override
    public List<Arrival> readAll() {
        return run("read queue " + name, channel -> {
            List<Arrival> arrivals = new ArrayList<>();
            for (GetResponse message = channel.basicGet(name, true);
                    message != null;
                    message = channel.basicGet(name, true)) {
                arrivals.add(arrival(message));
            }
            return arrivals;
        });
    }

    private static Arrival arrival(GetResponse message) {
        AMQP.BasicProperties properties = message.getProps();
        return Content.arrival(Optional.ofNullable(properties.getMessageId()).orElse("none"), message.getBody());
    }

    @Override
    public void remove() {
        run("delete exchange and queue " + name, channel -> {
            channel.queueDelete(name);
            return channel.exchangeDelete(name);
        });
    }

    @Override
    public Map<String, String> configuration(String address) {
        return Map.of("type", "rabbitmq", "uri", address, "delivery-timeout", "2s", "connect-timeout", "1s");
    }

    private interface Work<T> {
        T on(Channel channel) throws Exception;
    }

    private <T> T run(String purpose, Work<T> work) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            try (Connection connection = factory.newConnection("postrider-prove");
                    Channel channel = connection.createChannel()) {
                return work.on(channel);
            }
        } catch (Exception failed) {
            throw new ProofException(
                    "Cannot %s at %s: %s"
                            .formatted(
                                    purpose,
                                    URI.create(uri).getHost(),
                                    SafeText.of(String.valueOf(failed.getMessage()))),
                    failed);
        }
    }
}
