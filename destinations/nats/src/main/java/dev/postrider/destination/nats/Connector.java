package dev.postrider.destination.nats;

import dev.postrider.internal.SafeText;
import dev.postrider.spi.DeliveryResult;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens links to the first server that answers, one at a time. Thread-safe. */
final class Connector {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    private final NatsOptions options;
    private final Failures failures;
    private final Executor closer;
    private final BiConsumer<Link, Sending> onNobody;
    private volatile @Nullable Link current;
    private boolean isClosed;

    Connector(NatsOptions options, Failures failures, Executor closer, BiConsumer<Link, Sending> onNobody) {
        this.options = options;
        this.failures = failures;
        this.closer = closer;
        this.onNobody = onNobody;
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
            link.cut(failures.ofLostConnection());
        }
        Link opened = connect();
        current = opened;
        return opened;
    }

    private Link connect() throws NoLinkException {
        AtomicReference<Exception> seen = new AtomicReference<>();
        AtomicReference<Link> link = new AtomicReference<>();
        try {
            Connection connection = Nats.connect(clientOptions(seen, link));
            Link opened = new Link(connection, failures, options, closer, onNobody);
            link.set(opened);
            LOG.info("{} is connected to NATS at {}", options.name(), SafeText.address(connection.getConnectedUrl()));
            return opened;
        } catch (IOException | RuntimeException failed) {
            // The client tells the reason to its listener only.
            Exception reason = Optional.ofNullable(seen.get()).orElse(failed);
            boolean isClear = failed instanceof io.nats.client.AuthenticationException;
            Exception told = isClear ? failed : reason;
            throw new NoLinkException(failures.ofConnecting(told), failures.causeForPeople(told));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoLinkException("Interrupted while connecting to NATS", interrupted);
        }
    }

    private Options clientOptions(AtomicReference<Exception> seen, AtomicReference<Link> link) {
        return access(options, new Listener(seen, link))
                .noReconnect()
                // What was not yet sent when the connection is given up is never sent.
                .socketSoLinger(0)
                .reportNoResponders()
                .dontForceFlushOnRequest()
                .maxMessagesInOutgoingQueue(options.maxInFlight() + 1000)
                .connectionListener(new Watcher(link))
                .build();
    }

    /** How to reach the servers, and as whom. */
    static Options.Builder access(NatsOptions options, ErrorListener listener) {
        Options.Builder builder = Options.builder()
                .servers(options.servers().toArray(String[]::new))
                .connectionName("postrider " + options.name())
                .connectionTimeout(options.connectTimeout())
                .errorListener(listener);
        if (!options.user().isEmpty()) {
            builder.userInfo(options.user(), options.password());
        }
        options.tls().ifPresent(context -> builder.sslContext(HostCheckingTls.of(context)));
        options.customizer().accept(builder);
        return builder;
    }

    /** Ends the link in use; there will be no other. */
    synchronized void close() {
        isClosed = true;
        current().ifPresent(link -> link.cut(DeliveryResult.outage(options.name() + " was closed")));
    }

    /** There is no connection. */
    static final class NoLinkException extends Exception {
        NoLinkException(String message, @Nullable Exception cause) {
            super(message, cause);
        }
    }

    /** Ends what is outstanding as soon as the connection is gone. */
    private final class Watcher implements ConnectionListener {

        private final AtomicReference<Link> link;

        Watcher(AtomicReference<Link> link) {
            this.link = link;
        }

        @Override
        @SuppressWarnings("deprecation") // The method that takes its place calls this one, and this one is abstract.
        public void connectionEvent(Connection connection, Events event) {
            Link lost = link.get();
            if (lost != null && (event == Events.DISCONNECTED || event == Events.CLOSED)) {
                lost.cut(failures.ofLostConnection());
            }
        }
    }

    /** Keeps the first exception of an attempt to connect; the rest is noise of a connection that ends. */
    private static final class Listener implements ErrorListener {

        private final AtomicReference<Exception> seen;
        private final AtomicReference<Link> link;

        Listener(AtomicReference<Exception> seen, AtomicReference<Link> link) {
            this.seen = seen;
            this.link = link;
        }

        @Override
        public void exceptionOccurred(Connection connection, Exception exception) {
            seen.compareAndSet(null, exception);
            LOG.debug("The NATS client reports an exception", exception);
        }

        @Override
        public void errorOccurred(Connection connection, String error) {
            LOG.warn("NATS reports: {}", error);
            Optional.ofNullable(link.get()).ifPresent(opened -> opened.errorOccurred(error));
        }
    }
}
