package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.ReceiverException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Declares and verifies one thing at a time, and says of a refusal what it was about and what to do. For one thread. */
final class TopologySteps implements AutoCloseable {

    private final Channel channel;

    TopologySteps(Connection connection) throws IOException {
        Channel opened = connection.createChannel();
        if (opened == null) {
            throw new IOException("the connection has no channel left");
        }
        this.channel = opened;
    }

    void exchange(String name, BuiltinExchangeType type) {
        step(
                "declare exchange '" + name + "' of type " + type.getType(),
                () -> channel.exchangeDeclare(name, type, true));
    }

    void queue(String name, Map<String, Object> arguments) {
        step(
                "declare queue '" + name + "' with " + arguments,
                () -> channel.queueDeclare(name, true, false, false, arguments));
    }

    void bind(String queue, String exchange, String routingKey) {
        step(
                "bind queue '%s' to exchange '%s' with routing key '%s'".formatted(queue, exchange, routingKey),
                () -> channel.queueBind(queue, exchange, routingKey));
    }

    void requireExchange(String name) {
        step("find exchange '" + name + "'", () -> channel.exchangeDeclarePassive(name));
    }

    void requireQueue(String name) {
        step("find queue '" + name + "'", () -> channel.queueDeclarePassive(name));
    }

    private static void step(String purpose, Step step) {
        try {
            step.run();
        } catch (IOException | ShutdownSignalException refused) {
            Optional<ShutdownSignalException> reason = Failures.channelError(refused);
            throw new ReceiverException(
                    "RabbitMQ would not %s: %s; %s"
                            .formatted(
                                    purpose,
                                    ConnectFailure.rootOf(refused),
                                    advice(reason.map(TopologySteps::code).orElse(0))),
                    refused);
        }
    }

    private static int code(ShutdownSignalException refused) {
        return refused.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
    }

    private static String advice(int code) {
        return switch (code) {
            case AMQP.NOT_FOUND ->
                "it does not exist: create it, or let declareTopology() create queues and declareExchanges() the exchanges of events";
            case AMQP.PRECONDITION_FAILED ->
                "it exists in another form: use the options that it was made with, or delete it while nobody uses it";
            case AMQP.ACCESS_REFUSED -> "grant the user the permission to configure, write and read what is named here";
            default -> "check that the broker is well and try again";
        };
    }

    @Override
    public void close() {
        RabbitmqLink.closeQuietly(channel);
    }

    private interface Step {
        Object run() throws IOException;
    }
}
