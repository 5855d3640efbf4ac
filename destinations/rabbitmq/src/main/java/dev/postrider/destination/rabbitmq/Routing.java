package dev.postrider.destination.rabbitmq;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import java.util.function.Function;

/**
 * Decides to which exchange and with which routing key a message goes.
 *
 * @param allowsInternal whether the default exchange and those of the broker itself are allowed
 */
record Routing(
        Function<OutboxMessage, String> exchange, Function<OutboxMessage, String> routingKey, boolean allowsInternal) {

    static final Routing BY_TOPIC_AND_TYPE = new Routing(OutboxMessage::topic, Routing::afterLastDot, false);

    Routing withExchange(Function<OutboxMessage, String> changed) {
        return new Routing(changed, routingKey, allowsInternal);
    }

    Routing withRoutingKey(Function<OutboxMessage, String> changed) {
        return new Routing(exchange, changed, allowsInternal);
    }

    Routing withInternal() {
        return new Routing(exchange, routingKey, true);
    }

    /**
     * The exchange of a message.
     *
     * @throws InvalidMessageException if the message must not go there; the text says why
     */
    String exchangeOf(OutboxMessage message) {
        String name = AmqpText.shortString("exchange", exchange.apply(message));
        if (!allowsInternal && (name.isEmpty() || name.startsWith("amq."))) {
            throw new InvalidMessageException(
                    "exchange",
                    "is "
                            + (name.isEmpty()
                                    ? "the default exchange, which leads into any queue by its name"
                                    : "'" + name + "', and amq. is for exchanges of the broker itself")
                            + ". Correct the topic, or allow such exchanges by allowInternalTopics");
        }
        return name;
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
