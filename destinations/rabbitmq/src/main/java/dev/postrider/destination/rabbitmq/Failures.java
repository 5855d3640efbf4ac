package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import java.util.Optional;

/** Says what an error of the client or the broker means, by its type or code. */
final class Failures {

    private final RabbitmqOptions options;

    Failures(RabbitmqOptions options) {
        this.options = options;
    }

    /** The connection ended, whatever was on its way. */
    DeliveryResult ofLostConnection(Throwable cause) {
        return DeliveryResult.outage("The connection to RabbitMQ was lost: " + ConnectFailure.rootOf(cause), cause);
    }

    /** The broker refused to take the message, as a full queue with overflow {@code reject-publish} does. */
    static DeliveryResult ofNack(WireMessage wire) {
        return DeliveryResult.unavailable(
                route(wire),
                "RabbitMQ refused a message (basic.nack) for %s: a queue is full or failed".formatted(route(wire)));
    }

    /** Nobody has bound a queue yet, or nobody will: that is for people to say, and the message waits for them. */
    static DeliveryResult ofUnroutable(WireMessage wire) {
        return DeliveryResult.unavailable(
                route(wire), "No queue is bound to %s: bind one, or correct topic or type".formatted(route(wire)));
    }

    private static String route(WireMessage wire) {
        return "exchange '%s' with routing key '%s'".formatted(wire.exchange(), wire.routingKey());
    }

    static String place(String exchange) {
        return "exchange '" + exchange + "'";
    }

    /** The broker closed a channel because of this exchange or this message. */
    DeliveryResult ofChannelClose(ShutdownSignalException closed, WireMessage wire) {
        int code = closed.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
        String place = place(wire.exchange());
        return switch (code) {
            case AMQP.NOT_FOUND ->
                DeliveryResult.unavailable(
                        place,
                        "Exchange '%s' does not exist in virtual host '%s': declare it, or let declareExchanges() do so"
                                .formatted(wire.exchange(), options.access().virtualHost()),
                        closed);
            case AMQP.ACCESS_REFUSED ->
                DeliveryResult.unavailable(
                        place,
                        "User '%s' may not use exchange '%s' with routing key '%s': grant the permission to write"
                                .formatted(options.access().user(), wire.exchange(), wire.routingKey()),
                        closed);
            // A message that is too large, a header that the broker cannot read: only the broker's own words tell them
            // apart.
            case AMQP.PRECONDITION_FAILED ->
                DeliveryResult.reject(
                        "RabbitMQ refused this message for exchange '%s': %s"
                                .formatted(wire.exchange(), replyText(closed)),
                        closed);
            default ->
                DeliveryResult.retry(
                        "RabbitMQ closed the channel with code %d at a message for exchange '%s'"
                                .formatted(code, wire.exchange()),
                        closed);
        };
    }

    /** The channel-level error inside of an exception, if it is one: it says something of one exchange, not of the broker. */
    static Optional<ShutdownSignalException> channelError(Exception failure) {
        return ConnectFailure.find(failure, ShutdownSignalException.class).filter(Failures::isChannelError);
    }

    static boolean isChannelError(ShutdownSignalException closed) {
        Method reason = closed.getReason();
        return !closed.isHardError() && !closed.isInitiatedByApplication() && reason instanceof AMQP.Channel.Close;
    }

    static boolean isNotFound(ShutdownSignalException closed) {
        return closed.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == AMQP.NOT_FOUND;
    }

    /** What the broker said when it closed a channel. */
    static String replyText(ShutdownSignalException closed) {
        return closed.getReason() instanceof AMQP.Channel.Close close
                ? String.valueOf(close.getReplyText())
                : String.valueOf(closed.getMessage());
    }
}
