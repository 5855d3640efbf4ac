package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Return;
import java.util.Arrays;
import java.util.Objects;

/** What is published for one message. */
record WireMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {

    /** Whether this is the message that came back; one without an id, as other producers send it, is known by its body. */
    boolean isReturnedAs(Return returned) {
        String id = properties.getMessageId();
        return exchange.equals(returned.getExchange())
                && routingKey.equals(returned.getRoutingKey())
                && Objects.equals(id, returned.getProperties().getMessageId())
                && (id != null || Arrays.equals(body, returned.getBody()));
    }
}
