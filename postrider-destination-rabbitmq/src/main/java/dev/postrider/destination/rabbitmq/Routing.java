package dev.postrider.destination.rabbitmq;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.util.function.Function;

/** Decides to which exchange and with which routing key a message goes. */
record Routing(Function<OutboxMessage, String> exchange, Function<OutboxMessage, String> routingKey) {

    static final Routing BY_TOPIC_AND_TYPE = new Routing(OutboxMessage::topic, Routing::afterLastDot);

    Routing withExchange(Function<OutboxMessage, String> changed) {
        return new Routing(changed, routingKey);
    }

    Routing withRoutingKey(Function<OutboxMessage, String> changed) {
        return new Routing(exchange, changed);
    }

    /** {@code com.example.orders} for the type {@code com.example.orders.Placed}. */
    static String beforeLastDot(OutboxMessage message) {
        int dot = message.type().lastIndexOf('.');
        if (dot < 1) {
            throw new InvalidMessageException(
                    "type", "is '" + message.type() + "', which has no dot to name the exchange before it");
        }
        return message.type().substring(0, dot);
    }

    /** {@code Placed} for the type {@code com.example.orders.Placed}; the whole type if it has no dot. */
    static String afterLastDot(OutboxMessage message) {
        return message.type().substring(message.type().lastIndexOf('.') + 1);
    }
}
