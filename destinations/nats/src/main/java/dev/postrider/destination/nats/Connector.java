package dev.postrider.destination.nats;

import dev.postrider.internal.LogThrottle;
import dev.postrider.internal.SafeText;
import dev.postrider.spi.internal.Link;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.PendingSend;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens links to the first server that answers. Thread-safe. */
final class Connector implements Link.Opener<NatsLink> {

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    private static final LogThrottle THROTTLE = new LogThrottle(LOG);

    private final NatsOptions options;
    private final Failures failures;
    private final Executor closer;
    private final BiConsumer<NatsLink, PendingSend<Message>> onNobody;

    Connector(
            NatsOptions options,
            Failures failures,
            Executor closer,
            BiConsumer<NatsLink, PendingSend<Message>> onNobody) {
        this.options = options;
        this.failures = failures;
        this.closer = closer;
        this.onNobody = onNobody;
    }

    @Override
    public NatsLink open() throws NoLinkException {
        AtomicReference<Exception> seen = new AtomicReference<>();
        AtomicReference<NatsLink> link = new AtomicReference<>();
        try {
            Connection connection = Nats.connect(clientOptions(seen, link));
            NatsLink opened = new NatsLink(connection, failures, options, closer, onNobody);
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

    private Options clientOptions(AtomicReference<Exception> seen, AtomicReference<NatsLink> link) {
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

    /** Ends what is outstanding as soon as the connection is gone. */
    private final class Watcher implements ConnectionListener {

        private final AtomicReference<NatsLink> link;

        Watcher(AtomicReference<NatsLink> link) {
            this.link = link;
        }

        @Override
        @SuppressWarnings("deprecation") // The method that takes its place calls this one, and this one is abstract.
        public void connectionEvent(Connection connection, Events event) {
            NatsLink lost = link.get();
            if (lost != null && (event == Events.DISCONNECTED || event == Events.CLOSED)) {
                lost.cutAsLost();
            }
        }
    }

    /** Keeps the first exception of an attempt to connect; the rest is noise of a connection that ends. */
    private static final class Listener implements ErrorListener {

        private final AtomicReference<Exception> seen;
        private final AtomicReference<NatsLink> link;

        Listener(AtomicReference<Exception> seen, AtomicReference<NatsLink> link) {
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
            THROTTLE.warn(error, "NATS reports: {}", error);
            Optional.ofNullable(link.get()).ifPresent(opened -> opened.errorOccurred(error));
        }
    }
}
