package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Return;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * What is published for one message.
 *
 * @param key of the message: those of one key go out in their order
 */
record WireMessage(String exchange, String routingKey, BasicProperties properties, byte[] body, Optional<String> key) {

    /** One without a key. */
    WireMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        this(exchange, routingKey, properties, body, Optional.empty());
    }

    /** Whether this is the message that came back; one without an id, as other producers send it, is known by its body. */
    boolean isReturnedAs(Return returned) {
        String id = properties.getMessageId();
        return exchange.equals(returned.getExchange())
                && routingKey.equals(returned.getRoutingKey())
                && Objects.equals(id, returned.getProperties().getMessageId())
                && (id != null || Arrays.equals(body, returned.getBody()));
    }
}
