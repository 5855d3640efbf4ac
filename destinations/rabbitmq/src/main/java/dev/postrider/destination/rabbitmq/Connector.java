package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
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
        if (link != null) {
            link.endAsLost();
        }
        try {
            Link opened = connect();
            current = opened;
            return opened;
        } catch (IOException | TimeoutException | RuntimeException failed) {
            throw new NoLinkException(ConnectFailure.describe(options.access(), failed), failed);
        }
    }

    private Link connect() throws IOException, TimeoutException {
        BrokerAccess.Opened opened = options.access().open(options.name(), factory -> {});
        Connection connection = opened.connection();
        LOG.info("{} is connected to RabbitMQ at {}:{}", options.name(), connection.getAddress(), connection.getPort());
        return new Link(connection, opened.socket(), options, failures, suspects);
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
