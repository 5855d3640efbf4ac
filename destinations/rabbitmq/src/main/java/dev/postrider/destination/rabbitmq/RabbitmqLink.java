package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.internal.Link;
import dev.postrider.spi.internal.PendingSend;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker with its channels, from its opening to its end; there is no recovery, a new link takes its
 * place.
 *
 * <p>When the connection ends, everything outstanding on it ends as an outage. When the broker closes only a channel, one of
 * the messages on it is to blame: alone, it is judged at once; otherwise all go to the suspects, to be published one at a time
 * on a channel of their own. So does one that found its channel closed: it never left the client. Only the publisher's thread
 * publishes; any thread may cut the link.
 */
final class RabbitmqLink implements Link<WireMessage> {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitmqLink.class);
    private static final int CLOSE_MILLIS = 3_000;

    private final Connection connection;
    private final Optional<Socket> socket;
    private final RabbitmqOptions options;
    private final Failures failures;
    private final Suspects suspects;
    private final Exchanges exchanges;
    private final AliveProbe probe;
    private final List<ConfirmChannel> channels = new CopyOnWriteArrayList<>();
    private final List<ConfirmChannel> isolated = new CopyOnWriteArrayList<>();
    private volatile Optional<String> blockedBecause = Optional.empty();
    private volatile boolean isCut;
    private int turn;

    RabbitmqLink(BrokerAccess.Opened opened, RabbitmqOptions options, Failures failures, Suspects suspects) {
        this.connection = opened.connection();
        this.socket = opened.socket();
        this.options = options;
        this.failures = failures;
        this.suspects = suspects;
        this.exchanges = new Exchanges(connection, options.declared().ifMissing(), failures);
        this.probe = new AliveProbe(connection);
        connection.addBlockedListener(new Alarm());
    }

    /** Connects to the first broker that answers. */
    static RabbitmqLink open(RabbitmqOptions options, Failures failures, Suspects suspects) throws NoLinkException {
        try {
            BrokerAccess.Opened opened = options.access().open(options.name(), factory -> {});
            Connection connection = opened.connection();
            LOG.info(
                    "{} is connected to RabbitMQ at {}:{}",
                    options.name(),
                    connection.getAddress(),
                    connection.getPort());
            RabbitmqLink link = new RabbitmqLink(opened, options, failures, suspects);
            link.exchanges.declare(options.declared().atOnce());
            return link;
        } catch (IOException | TimeoutException | RuntimeException failed) {
            throw new NoLinkException(ConnectFailure.describe(options.access(), failed), failed);
        }
    }

    @Override
    public boolean isUsable() {
        return !isCut && connection.isOpen();
    }

    /** Why the broker takes no messages at present, if so: an alarm for memory or disk. */
    Optional<String> blockedBecause() {
        return blockedBecause;
    }

    AliveProbe probe() {
        return probe;
    }

    /** The broker's refusal, if it refuses. */
    Optional<ShutdownSignalException> ask(BrokerQuery query) throws IOException {
        return BrokerQuery.ask(connection, query);
    }

    @Override
    public Optional<DeliveryResult> refusal(WireMessage wire) throws IOException {
        Optional<String> blocked = blockedBecause;
        if (blocked.isPresent()) {
            return Optional.of(DeliveryResult.outage("RabbitMQ takes no messages at present: " + blocked.get()));
        }
        Optional<DeliveryResult> tooLarge = HeaderFrame.refusal(wire, connection.getFrameMax());
        try {
            return tooLarge.isPresent() ? tooLarge : exchanges.refusal(wire);
        } catch (ShutdownSignalException lost) {
            throw new IOException(lost);
        }
    }

    @Override
    public void publish(PendingSend<WireMessage> send) throws IOException {
        String exchange = send.wire().exchange();
        try {
            if (suspects.isAlone(send)) {
                suspects.distrust(exchange);
                publishAlone(send);
            } else if (suspects.distrusts(exchange)) {
                suspects.add(List.of(send));
            } else {
                publishInTurn(send);
            }
        } catch (ShutdownSignalException lost) {
            throw new IOException(lost);
        }
    }

    /** Those of a run or of a key on the same channel, which keeps their order; others on the next channel in turn. */
    private void publishInTurn(PendingSend<WireMessage> send) throws IOException {
        KeyRun run = send.position().run();
        int line = run == null ? send.wire().key().map(String::hashCode).orElse(++turn) : run.hashCode();
        ConfirmChannel channel = openChannel(Math.floorMod(line, options.channels()));
        // Asked now: what was on a closed channel has ended.
        if (!send.endIfBehindFailed()) {
            channel.publish(send);
        }
    }

    private ConfirmChannel openChannel(int number) throws IOException {
        while (channels.size() <= number) {
            channels.add(open());
        }
        ConfirmChannel channel = channels.get(number);
        if (!channel.isOpen()) {
            channel.closed();
            channels.set(number, open());
        }
        return channels.get(number);
    }

    /** On a channel on which nothing else is. */
    private void publishAlone(PendingSend<WireMessage> send) throws IOException {
        isolated.removeIf(channel -> !channel.isOpen());
        if (isolated.isEmpty()) {
            isolated.add(open());
        }
        isolated.get(0).publish(send);
    }

    @Override
    public DeliveryResult failed(Throwable failure) {
        DeliveryResult outage = failures.ofLostConnection(failure);
        cut(outage);
        return outage;
    }

    private ConfirmChannel open() throws IOException {
        return ConfirmChannel.open(connection, this::channelClosed);
    }

    /** At once for all of them: nobody who finds a channel drained may publish before its messages have ended. */
    private synchronized void channelClosed(ConfirmChannel channel, ShutdownSignalException cause) {
        List<PendingSend<WireMessage>> unconfirmed = channel.drain();
        if (!Failures.isChannelError(cause)) {
            unconfirmed.forEach(sending -> sending.end(failures.ofLostConnection(cause)));
            cut(failures.ofLostConnection(cause));
        } else if (unconfirmed.size() == 1 && !(cause instanceof AlreadyClosedException)) {
            PendingSend<WireMessage> culprit = unconfirmed.get(0);
            exchanges.forget(culprit.wire().exchange());
            culprit.end(failures.ofChannelClose(cause, culprit.wire()));
        } else if (!unconfirmed.isEmpty()) {
            unconfirmed.forEach(sending -> exchanges.forget(sending.wire().exchange()));
            suspects.add(unconfirmed);
        }
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
    @Override
    public void cut(DeliveryResult outcome) {
        isCut = true;
        socket.ifPresentOrElse(RabbitmqLink::reset, () -> connection.abort(0));
        endAll(outcome);
    }

    private synchronized void endAll(DeliveryResult outcome) {
        all().forEach(channel -> channel.drain().forEach(sending -> sending.end(outcome)));
    }

    /** In case nobody has told its channels yet. */
    @Override
    public void cutAsLost() {
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

    /** Cuts the connection if a farewell takes too long. */
    @Override
    public void close() {
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
