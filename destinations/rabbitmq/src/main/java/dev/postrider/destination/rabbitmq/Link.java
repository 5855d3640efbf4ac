package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker with its channels, from its opening to its end; there is no recovery, a new link takes its
 * place.
 *
 * <p>When the connection ends, everything outstanding on it ends as an outage. When the broker closes only a channel, one of
 * the messages on it is to blame: alone, it is judged at once; otherwise all go to the suspects, to be published one at a time
 * on a channel of their own. Only the publisher's thread publishes; any thread may cut the link.
 */
final class Link {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final int CLOSE_MILLIS = 3_000;

    private final Connection connection;
    private final Optional<Socket> socket;
    private final RabbitmqOptions options;
    private final Failures failures;
    private final Consumer<List<Sending>> suspects;
    private final Exchanges exchanges;
    private final AliveProbe probe;
    private final List<ConfirmChannel> channels = new CopyOnWriteArrayList<>();
    private final List<ConfirmChannel> isolated = new CopyOnWriteArrayList<>();
    private volatile Optional<String> blockedBecause = Optional.empty();
    private volatile boolean isCut;
    private int turn;

    Link(
            Connection connection,
            Optional<Socket> socket,
            RabbitmqOptions options,
            Failures failures,
            Consumer<List<Sending>> suspects) {
        this.connection = connection;
        this.socket = socket;
        this.options = options;
        this.failures = failures;
        this.suspects = suspects;
        this.exchanges = new Exchanges(connection, options.declaresExchanges(), failures);
        this.probe = new AliveProbe(connection);
        connection.addBlockedListener(new Alarm());
    }

    boolean isUsable() {
        return !isCut && connection.isOpen();
    }

    /** Why the broker takes no messages at present, if so: an alarm for memory or disk. */
    Optional<String> blockedBecause() {
        return blockedBecause;
    }

    int maxFrameBytes() {
        return connection.getFrameMax();
    }

    AliveProbe probe() {
        return probe;
    }

    Exchanges exchanges() {
        return exchanges;
    }

    /** The broker's refusal, if it refuses. */
    Optional<ShutdownSignalException> ask(Question question) throws IOException {
        return Question.ask(connection, question);
    }

    /** Publishes on the next channel in turn. The engine has one message of a key on its way, so order needs no channel. */
    void publish(Sending sending) throws IOException {
        turn = (turn + 1) % options.channels();
        channels.removeIf(channel -> !channel.isOpen());
        while (channels.size() <= turn) {
            channels.add(open());
        }
        channels.get(turn).publish(sending);
    }

    /** Publishes on a channel on which nothing else is. */
    void publishAlone(Sending sending) throws IOException {
        isolated.removeIf(channel -> !channel.isOpen());
        if (isolated.isEmpty()) {
            isolated.add(open());
        }
        isolated.get(0).publish(sending);
    }

    private ConfirmChannel open() throws IOException {
        return ConfirmChannel.open(connection, this::channelClosed);
    }

    private void channelClosed(List<Sending> unconfirmed, ShutdownSignalException cause) {
        if (!Failures.isChannelError(cause)) {
            unconfirmed.forEach(sending -> sending.end(failures.ofLostConnection(cause)));
            cut(failures.ofLostConnection(cause));
        } else if (unconfirmed.size() == 1) {
            Sending culprit = unconfirmed.get(0);
            exchanges.forget(culprit.wire().exchange());
            culprit.end(failures.ofChannelClose(cause, culprit.wire()));
        } else if (!unconfirmed.isEmpty()) {
            unconfirmed.forEach(sending -> exchanges.forget(sending.wire().exchange()));
            suspects.accept(unconfirmed);
        }
    }

    boolean hasOverdue(long now) {
        return all().stream().anyMatch(channel -> channel.hasOverdue(now));
    }

    private List<ConfirmChannel> all() {
        List<ConfirmChannel> all = new ArrayList<>(channels);
        all.addAll(isolated);
        return all;
    }

    /**
     * Ends the connection at once, without a word to the broker: a farewell would wait behind whatever does not get through.
     * Everything outstanding ends with this outcome.
     */
    void cut(DeliveryResult outcome) {
        isCut = true;
        socket.ifPresentOrElse(Link::reset, () -> connection.abort(0));
        all().forEach(channel -> channel.drain().forEach(sending -> sending.end(outcome)));
    }

    /** Ends what is outstanding on a connection that is gone, in case nobody has told its channels yet. */
    void endAsLost() {
        ShutdownSignalException reason = connection.getCloseReason();
        cut(
                reason == null
                        ? DeliveryResult.outage("The connection to RabbitMQ was cut")
                        : failures.ofLostConnection(reason));
    }

    static void reset(Socket socket) {
        try {
            // Also lets go of a thread that waits for room to write, under TLS as well.
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyGone) {
            LOG.debug("The socket was closed already", alreadyGone);
        }
    }

    /** Ends the connection as the protocol wants it; cuts it if that takes too long. */
    void close() {
        if (isUsable() && blockedBecause.isEmpty()) {
            connection.abort(CLOSE_MILLIS);
        }
        cut(DeliveryResult.outage("The connection to RabbitMQ was closed"));
    }

    /** A channel that is used once, for questions that may end it. */
    static void closeQuietly(Channel channel) {
        if (channel.isOpen()) {
            try {
                channel.abort();
            } catch (IOException gone) {
                LOG.debug("The channel was closed already", gone);
            }
        }
    }

    private final class Alarm implements BlockedListener {

        @Override
        public void handleBlocked(String reason) {
            LOG.warn("RabbitMQ takes no messages from {}: {}", options.name(), reason);
            blockedBecause = Optional.of(reason);
        }

        @Override
        public void handleUnblocked() {
            LOG.info("RabbitMQ takes messages from {} again", options.name());
            blockedBecause = Optional.empty();
        }
    }
}
