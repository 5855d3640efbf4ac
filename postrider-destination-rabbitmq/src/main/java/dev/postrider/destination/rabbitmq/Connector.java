package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens links to the first broker that answers, one at a time. Thread-safe. */
final class Connector {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private final RabbitmqOptions options;
    private final Failures failures;
    private final Consumer<List<Sending>> suspects;
    private volatile @Nullable Link current;
    private boolean isClosed;

    Connector(RabbitmqOptions options, Failures failures, Consumer<List<Sending>> suspects) {
        this.options = options;
        this.failures = failures;
        this.suspects = suspects;
    }

    /** The link in use, whether usable or not. */
    Optional<Link> current() {
        return Optional.ofNullable(current);
    }

    /**
     * The link in use, or a new one.
     *
     * @throws NoLinkException if there is none to be had; its message is for people
     */
    synchronized Link open() throws NoLinkException {
        Link link = current;
        if (link != null && link.isUsable()) {
            return link;
        }
        if (isClosed) {
            throw new NoLinkException(options.name() + " is closed", null);
        }
        try {
            Link opened = connect();
            current = opened;
            return opened;
        } catch (IOException | TimeoutException | RuntimeException failed) {
            throw new NoLinkException(failures.ofConnecting(failed), failed);
        }
    }

    private Link connect() throws IOException, TimeoutException {
        AtomicReference<Socket> socket = new AtomicReference<>();
        ConnectionFactory factory = factory();
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::set));
        Connection connection = factory.newConnection(options.addresses(), "postrider " + options.name());
        LOG.info("{} is connected to RabbitMQ at {}:{}", options.name(), connection.getAddress(), connection.getPort());
        return new Link(connection, Optional.ofNullable(socket.get()), options, failures, suspects);
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUsername(options.user());
        factory.setPassword(options.password());
        factory.setVirtualHost(options.virtualHost());
        int timeout = (int) options.connectTimeout().toMillis();
        factory.setConnectionTimeout(timeout);
        factory.setHandshakeTimeout(timeout);
        factory.setChannelRpcTimeout(timeout);
        options.tls().ifPresent(context -> {
            factory.useSslProtocol(context);
            factory.enableHostnameVerification();
        });
        options.customizer().accept(factory);
        // The client would open channels anew and forget which messages had not been confirmed on the old ones.
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        return factory;
    }

    /** Ends the link in use; there will be no other. */
    synchronized void close() {
        isClosed = true;
        current().ifPresent(Link::close);
    }

    /** There is no connection. */
    static final class NoLinkException extends Exception {
        NoLinkException(String message, @Nullable Exception cause) {
            super(message, cause);
        }
    }
}
