package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Says why a connection cannot be had. */
final class ConnectFailure {

    private ConnectFailure() {}

    /** Why there is no connection, and what to do about it. */
    static String describe(BrokerAccess access, Exception failure) {
        String at = " at " + access.addresses();
        if (find(failure, AuthenticationFailureException.class).isPresent()
                || find(failure, PossibleAuthenticationFailureException.class).isPresent()) {
            return "RabbitMQ%s refused the credentials of user '%s': check user name and password"
                    .formatted(at, access.user());
        }
        if (find(failure, SSLException.class).isPresent()) {
            return "The TLS handshake with RabbitMQ%s failed: give tls(...) a context that trusts its certificate, and use the name in it"
                    .formatted(at);
        }
        Optional<UnknownHostException> unknown = find(failure, UnknownHostException.class);
        if (unknown.isPresent()) {
            return "No address is known for host %s of RabbitMQ%s: check the host names"
                    .formatted(unknown.get().getMessage(), at);
        }
        return connectionClose(failure)
                .map(code ->
                        "RabbitMQ%s refused the virtual host '%s' (%d): check that it exists and that user '%s' may use it"
                                .formatted(at, access.virtualHost(), code, access.user()))
                .orElse("RabbitMQ%s cannot be reached: %s".formatted(at, rootOf(failure)));
    }

    private static Optional<Integer> connectionClose(Exception failure) {
        return find(failure, ShutdownSignalException.class)
                .map(ShutdownSignalException::getReason)
                .flatMap(reason -> reason instanceof AMQP.Connection.Close close
                        ? Optional.of(close.getReplyCode())
                        : Optional.empty());
    }

    static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return Optional.of(type.cast(each));
            }
        }
        return Optional.empty();
    }

    /** What a person wants to read of a failure: its deepest cause. */
    static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text = root instanceof IOException && root.getMessage() != null ? root.getMessage() : root.toString();
        return text.isBlank() ? root.getClass().getSimpleName() : text;
    }
}
