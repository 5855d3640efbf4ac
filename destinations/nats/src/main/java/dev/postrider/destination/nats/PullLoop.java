package dev.postrider.destination.nats;

import dev.postrider.internal.LogThrottle;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.ReceivedEvent;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks for messages and hands them over, on one connection after the other.
 *
 * <p>It asks for as many as there is room for, and again when these have come or the request has run out. When the connection is lost
 * it opens a new one, for as long as it takes; when the consumer is gone it ends. Silence is not trusted: now and then it looks
 * whether the consumer is still there.
 */
final class PullLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PullLoop.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Backoff RECONNECT = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration REQUEST = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration PING = Duration.ofSeconds(5);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    private final NatsReceiverOptions options;
    private final DeliveryQueue<PulledMessage> queue;
    private final ConsumerSettlement settlement;
    private final Subscription subscription;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private Connection connection;
    private volatile @Nullable String problem;
    private int requested;
    private long requestedUntil;
    private long lastSign;

    /**
     * @param subscription which events are wanted
     * @param connection the first one
     */
    PullLoop(
            NatsReceiverOptions options,
            DeliveryQueue<PulledMessage> queue,
            ConsumerSettlement settlement,
            Subscription subscription,
            Connection connection) {
        this.options = options;
        this.queue = queue;
        this.settlement = settlement;
        this.subscription = subscription;
        this.connection = connection;
    }

    /** Ends with the loop, exceptionally if nobody asked for it. */
    CompletableFuture<Void> end() {
        return end;
    }

    /** A connection that ends when it is lost: this loop, and not the client, opens the next one. */
    static Connection connect(NatsReceiverOptions options) throws IOException, InterruptedException {
        return Nats.connect(Connector.access(options.access(), new ErrorListener() {})
                .noReconnect()
                .pingInterval(PING)
                .maxPingsOut(2)
                .build());
    }

    /** Why nothing can be received for now, if so. */
    @Nullable
    String problem() {
        return problem;
    }

    void close() {
        closing.countDown();
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    @Override
    public void run() {
        try {
            consume();
            for (int failures = 1; !isClosing(); failures++) {
                long begin = System.nanoTime();
                if (reconnect(failures)) {
                    consume();
                    failures = System.nanoTime() - begin > SILENCE.toNanos() ? 0 : failures;
                }
            }
            leave();
            end.complete(null);
        } catch (Throwable fatal) {
            // Also an Error: without this thread the receiver would be silent.
            leave();
            end.completeExceptionally(fatal);
        }
    }

    private boolean reconnect(int failures) throws InterruptedException {
        if (closing.await(RECONNECT.delay(failures).toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            connection = connect(options);
            throttle.worked(
                    "lost",
                    (level, note) -> LOG.atLevel(level).log("Receiver {} is connected again {}", options.name(), note));
            return true;
        } catch (AuthenticationException refused) {
            throw new ReceiverException(new Failures(options.access()).ofConnecting(refused), refused);
        } catch (IOException unreachable) {
            problem = new Failures(options.access()).ofConnecting(unreachable);
            // An outage of hours is two lines in the log; the health check tells what the problem is now.
            LOG.debug("Receiver {} cannot connect and tries again: {}", options.name(), problem);
            return false;
        }
    }

    /** Returns when the connection is lost or the receiver closes. */
    private void consume() throws InterruptedException {
        try {
            settlement.use(connection);
            JetStreamSubscription source = connection
                    .jetStream()
                    .subscribe(null, PullSubscribeOptions.bind(options.stream(), options.consumer()));
            requested = 0;
            lastSign = System.nanoTime();
            problem = null;
            pull(source);
        } catch (IOException | JetStreamApiException | IllegalStateException lost) {
            if (!isClosing()) {
                throttle.warn("lost", lost, "Receiver {} has lost its connection", options.name());
                problem = "The connection to NATS was lost";
                requireConsumer();
            }
        } finally {
            closeConnection();
        }
    }

    private void pull(JetStreamSubscription source) throws InterruptedException, IOException, JetStreamApiException {
        boolean isSubscribed = true;
        while (!isClosing()) {
            if (connection.getStatus() != Connection.Status.CONNECTED) {
                throw new IOException("The connection has ended: " + connection.getLastError());
            }
            if (queue.isStopped()) {
                if (isSubscribed) {
                    unsubscribe(source);
                    isSubscribed = false;
                }
                closing.await(LOOK.toNanos(), TimeUnit.NANOSECONDS);
            } else {
                step(source);
            }
        }
        if (isSubscribed) {
            unsubscribe(source);
        }
    }

    /** Before anything is returned to the server, which would send it here again. */
    private void unsubscribe(JetStreamSubscription source) throws InterruptedException {
        List<Message> unread = new ArrayList<>();
        for (Message next = source.nextMessage(SHORTEST); next != null; next = source.nextMessage(SHORTEST)) {
            unread.add(next);
        }
        source.unsubscribe();
        unread.stream()
                .filter(Message::isJetStream)
                .forEach(message -> settlement.again(new PulledMessage(message), Duration.ZERO));
    }

    private void step(JetStreamSubscription source) throws InterruptedException, IOException, JetStreamApiException {
        if (requested <= 0 || System.nanoTime() - requestedUntil > 0) {
            if (!queue.awaitRoom(LOOK)) {
                return;
            }
            request(source, queue.room());
        }
        Message next = source.nextMessage(LOOK);
        if (next != null) {
            requested--;
            lastSign = System.nanoTime();
            take(next);
        } else if (System.nanoTime() - lastSign > SILENCE.toNanos()) {
            lastSign = System.nanoTime();
            requireConsumer();
        }
    }

    private void request(JetStreamSubscription source, int count) {
        source.pullExpiresIn(count, REQUEST);
        requested = count;
        requestedUntil = System.nanoTime() + REQUEST.plus(LOOK).toNanos();
    }

    /** @throws ReceiverException if the consumer does not exist any more */
    private void requireConsumer() {
        try {
            if (connection.getStatus() == Connection.Status.CONNECTED
                    && !new ConsumerSetup(options, connection.jetStreamManagement()).isThere()) {
                throw new ReceiverException("consumer " + options.consumer() + " of stream " + options.stream()
                        + " was deleted; start a new receiver, which may create it");
            }
        } catch (IOException | JetStreamApiException | IllegalStateException unknown) {
            LOG.debug("Cannot look for the consumer of {}", options.name(), unknown);
        }
    }

    private void take(Message wire) {
        if (!wire.isJetStream()) {
            return;
        }
        PulledMessage message = new PulledMessage(wire);
        int before = message.deliveries() - 1;
        if (before > 0 && isBeingHandled(message)) {
            return;
        }
        ReceivedEvent event;
        try {
            event = EventMapping.readEvent(wire);
        } catch (RuntimeException invalid) {
            // Whatever it is: a message that ends the receiver would end the next one too.
            queue.park(message, before + 1, "The message is no CloudEvent: " + invalid.getMessage());
            return;
        }
        if (!subscription.includes(event.message().type())) {
            settlement.acknowledge(message);
        } else if (before >= options.maxAttempts()) {
            queue.park(message, before + 1, "It was delivered too often without an answer of its handler");
        } else if (!queue.add(
                message, event, event.keyBy(options.keyAttribute(), subscription), before, Duration.ZERO)) {
            settlement.again(message, Duration.ZERO);
        }
    }

    /** The server has delivered a message again that a handler has: the answer goes where the server waits for it now. */
    private boolean isBeingHandled(PulledMessage message) {
        List<PulledMessage> same = queue.unsettled().stream()
                .filter(known -> known.sequence() == message.sequence())
                .toList();
        same.forEach(known -> known.answerTo(message.answerTo()));
        return !same.isEmpty();
    }

    /** Returns what is unsettled to the server, at once instead of after the server's ack wait. */
    private void leave() {
        close();
        closeConnection();
        queue.close();
    }

    private void closeConnection() {
        try {
            if (connection.getStatus() == Connection.Status.CONNECTED && isClosing()) {
                queue.takeAll().forEach(message -> settlement.again(message, Duration.ZERO));
                connection.flush(LAST_ANSWERS);
            }
            connection.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.TimeoutException | RuntimeException lost) {
            LOG.debug("The last answers may be lost", lost);
        }
    }
}
