package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Says what an error of the client or the broker means, by its type or code. */
final class Failures {

    private final RabbitmqOptions options;

    Failures(RabbitmqOptions options) {
        this.options = options;
    }

    /** Why there is no connection, and what to do about it. */
    String ofConnecting(Exception failure) {
        String at = " at " + options.addresses();
        if (find(failure, AuthenticationFailureException.class).isPresent()
                || find(failure, PossibleAuthenticationFailureException.class).isPresent()) {
            return "RabbitMQ%s refused the credentials of user '%s': check user name and password"
                    .formatted(at, options.user());
        }
        if (find(failure, SSLException.class).isPresent()) {
            return "The TLS handshake with RabbitMQ%s failed: give tls(...) a context that trusts its certificate, and use the name in it"
                    .formatted(at);
        }
        if (find(failure, UnknownHostException.class).isPresent()) {
            return "No address is known for RabbitMQ%s: check the host names".formatted(at);
        }
        return connectionClose(failure)
                .map(code ->
                        "RabbitMQ%s refused the virtual host '%s' (%d): check that it exists and that user '%s' may use it"
                                .formatted(at, options.virtualHost(), code, options.user()))
                .orElse("RabbitMQ%s cannot be reached: %s".formatted(at, rootOf(failure)));
    }

    private static Optional<Integer> connectionClose(Exception failure) {
        return find(failure, ShutdownSignalException.class)
                .map(ShutdownSignalException::getReason)
                .flatMap(reason -> reason instanceof AMQP.Connection.Close close
                        ? Optional.of(close.getReplyCode())
                        : Optional.empty());
    }

    /** The connection ended, whatever was on its way. */
    DeliveryResult ofLostConnection(Throwable cause) {
        return DeliveryResult.outage("The connection to RabbitMQ was lost: " + rootOf(cause), cause);
    }

    /** No confirm in time; the connection was given up. */
    DeliveryResult ofMissingConfirm() {
        return DeliveryResult.outage("RabbitMQ did not confirm within " + options.confirmTimeout());
    }

    /** The broker refused to take the message, as a full queue with overflow {@code reject-publish} does. */
    static DeliveryResult ofNack(WireMessage wire) {
        return DeliveryResult.retry(
                "RabbitMQ refused the message (basic.nack) for exchange '%s' and routing key '%s': a queue is full or failed"
                        .formatted(wire.exchange(), wire.routingKey()));
    }

    static DeliveryResult ofUnroutable(WireMessage wire) {
        return DeliveryResult.retry(
                "No queue is bound to exchange '%s' for routing key '%s': bind one, or correct topic or type"
                        .formatted(wire.exchange(), wire.routingKey()));
    }

    /** The broker closed a channel because of this exchange or this message. */
    DeliveryResult ofChannelClose(ShutdownSignalException closed, WireMessage wire) {
        int code = closed.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
        return switch (code) {
            case AMQP.NOT_FOUND ->
                DeliveryResult.retry(
                        "Exchange '%s' does not exist in virtual host '%s': declare it, or let declareExchanges() do so"
                                .formatted(wire.exchange(), options.virtualHost()),
                        closed);
            case AMQP.ACCESS_REFUSED ->
                DeliveryResult.retry(
                        "User '%s' may not use exchange '%s' with routing key '%s': grant the permission to write"
                                .formatted(options.user(), wire.exchange(), wire.routingKey()),
                        closed);
            case AMQP.PRECONDITION_FAILED ->
                DeliveryResult.reject(
                        "RabbitMQ refused a message with %d payload bytes (406), most likely as too large: see its max_message_size"
                                .formatted(wire.body().length),
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
        return find(failure, ShutdownSignalException.class).filter(Failures::isChannelError);
    }

    static boolean isChannelError(ShutdownSignalException closed) {
        Method reason = closed.getReason();
        return !closed.isHardError() && !closed.isInitiatedByApplication() && reason instanceof AMQP.Channel.Close;
    }

    static boolean isNotFound(ShutdownSignalException closed) {
        return closed.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == AMQP.NOT_FOUND;
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return Optional.of(type.cast(each));
            }
        }
        return Optional.empty();
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root instanceof IOException && root.getMessage() != null ? root.getMessage() : root.toString();
        return text.isBlank() ? root.getClass().getSimpleName() : text;
    }
}
