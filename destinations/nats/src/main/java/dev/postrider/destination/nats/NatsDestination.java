package dev.postrider.destination.nats;

import dev.postrider.destination.nats.Connector.NoLinkException;
import dev.postrider.internal.Readable;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Health;
import dev.postrider.spi.SendWindow;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to NATS JetStream.
 *
 * <p>Delivered means acknowledged by the stream that takes the message's subject, with the message id as {@code Nats-Msg-Id}: a
 * message that is sent again within the stream's duplicate window is stored once. Acknowledgements are awaited together, not
 * one by one. A lost connection ends everything on it as an outage, and the next send opens a new one. Refused
 * credentials, a stream without leader and a full server are outages too. A subject without stream or right to publish and a
 * full stream are outages of that place alone. A message that is too large is rejected.
 *
 * <p>Opening it connects to nothing: that happens with the first message. Thread-safe; {@code send} never waits for the
 * network.
 *
 * <pre>{@code
 * Destination nats = NatsDestination.builder("nats")
 *         .servers("nats://nats-1:4222", "nats://nats-2:4222")
 *         .credentials("orders", password)
 *         .expectedStream("ORDERS")
 *         .build();
 * }</pre>
 */
public final class NatsDestination implements Destination {

    private static final Logger LOG = LoggerFactory.getLogger(NatsDestination.class);
    private static final Duration SWEEP = Duration.ofMillis(50);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final NatsOptions options;
    private final EventMapping mapping;
    private final Failures failures;
    private final DeliveryResult whenClosed;
    private final Connector connector;
    private final SendWindow window;
    private final Queue<Sending> waiting = new ConcurrentLinkedQueue<>();
    private final UnclaimedMessages unclaimed;
    private final ExecutorService publisher;
    private final ExecutorService closers;
    private final ScheduledExecutorService sweeper;
    private volatile boolean isClosed;

    NatsDestination(NatsOptions options, EventMapping mapping) {
        this.options = options;
        this.mapping = mapping;
        this.failures = new Failures(options);
        this.whenClosed = DeliveryResult.outage(options.name() + " is closed");
        this.window = new SendWindow(options.maxInFlight());
        this.publisher = Executors.newSingleThreadExecutor(daemon("publish"));
        Streams streams = new Streams(options.streamToCreate(), failures);
        this.unclaimed = new UnclaimedMessages(streams, this::line, whenClosed, daemon("ask"));
        this.closers = Executors.newCachedThreadPool(daemon("close"));
        this.sweeper = Executors.newSingleThreadScheduledExecutor(daemon("timeout"));
        this.connector = new Connector(options, failures, closers, unclaimed::add);
        var unused =
                sweeper.scheduleWithFixedDelay(this::sweep, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A destination of this name, by default for a server on this machine. */
    public static NatsDestinationBuilder builder(String name) {
        return new NatsDestinationBuilder(name);
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public Duration deliveryTimeout() {
        return options.deliveryTimeout();
    }

    @Override
    public int maxInFlight() {
        return options.maxInFlight();
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        try {
            return send(mapping.write(message)).thenApply(result -> concerningTopic(result, message.topic()));
        } catch (InvalidMessageException invalid) {
            return ended(DeliveryResult.reject(String.valueOf(invalid.getMessage()), invalid));
        }
    }

    /** Where the topic is the subject, all messages of the topic go there. */
    private static DeliveryResult concerningTopic(DeliveryResult result, String topic) {
        return result instanceof Unavailable place && place.place().equals(Failures.place(topic))
                ? place.concerningTopic(true)
                : result;
    }

    private CompletionStage<DeliveryResult> send(Message wire) {
        if (isClosed) {
            return ended(whenClosed);
        }
        long deadline = System.nanoTime() + options.ackTimeout().toNanos();
        Sending sending = new Sending(wire, deadline, window::leave);
        return window.enter(() -> line(sending))
                ? sending.result()
                : ended(DeliveryResult.outage("Too many messages wait for %s, which has %d on their way, its limit"
                        .formatted(name(), options.maxInFlight())));
    }

    private static CompletionStage<DeliveryResult> ended(DeliveryResult result) {
        return CompletableFuture.completedFuture(result);
    }

    private void line(Sending sending) {
        waiting.add(sending);
        try {
            publisher.execute(this::publishNext);
        } catch (RejectedExecutionException closed) {
            sending.endIfWaiting(whenClosed);
        }
    }

    private void publishNext() {
        Sending next = waiting.poll();
        if (next == null || next.hasEnded()) {
            return;
        }
        try {
            Link link = connector.open();
            Optional<DeliveryResult> tooLarge = tooLarge(link, next.wire());
            if (tooLarge.isPresent()) {
                next.endIfWaiting(tooLarge.get());
            } else if (next.claim()) {
                link.publish(next);
            }
        } catch (NoLinkException unreachable) {
            DeliveryResult outage = DeliveryResult.outage(String.valueOf(unreachable.getMessage()), unreachable);
            next.endIfWaiting(outage);
            endAllWaiting(outage);
        } catch (RuntimeException | Error unexpected) {
            // Also an Error: it is in no line any more, nothing else would end it.
            LOG.error("Publishing failed in an unexpected way", unexpected);
            next.end(DeliveryResult.retry("Publishing failed: " + unexpected, unexpected));
        }
    }

    private static Optional<DeliveryResult> tooLarge(Link link, Message wire) {
        long headers = wire.hasHeaders() ? wire.getHeaders().serializedLength() : 0;
        long bytes = headers + wire.getData().length;
        long max = link.connection().getMaxPayload();
        return max < 0 || bytes <= max
                ? Optional.empty()
                : Optional.of(DeliveryResult.reject(
                        "The message is too large: %d bytes with its headers, the server's max_payload is %d"
                                .formatted(bytes, max)));
    }

    private void endAllWaiting(DeliveryResult outcome) {
        for (Sending next = waiting.poll(); next != null; next = waiting.poll()) {
            next.endIfWaiting(outcome);
        }
    }

    /** Contained: it would be called no more, and nothing would end in time any more. */
    private void sweep() {
        try {
            endOverdue(System.nanoTime());
        } catch (RuntimeException unexpected) {
            LOG.error("Ending what took too long failed; tried again", unexpected);
        }
    }

    /** A message without an acknowledgement is given up together with its connection: else it might still go out. */
    private void endOverdue(long now) {
        DeliveryResult outage =
                DeliveryResult.outage("NATS was not ready to take it within " + Readable.time(options.ackTimeout()));
        waiting.stream().filter(sending -> sending.isOverdue(now)).forEach(sending -> sending.endIfWaiting(outage));
        unclaimed.endOverdue(now, outage);
        connector.current().filter(link -> link.hasOverdue(now)).ifPresent(link -> link.cut(failures.ofMissingAck()));
    }

    /**
     * Connects if need be, and asks JetStream for a sign of life. Where the user may not ask for it, only a message can tell
     * more than that the server is there.
     */
    @Override
    public Health healthCheck() {
        if (isClosed) {
            return Health.down(name() + " is closed");
        }
        try {
            Link link = connector.open();
            link.connection().flush(PROBE_PATIENCE);
            return jetStreamHealth(link);
        } catch (NoLinkException unreachable) {
            return Health.down(String.valueOf(unreachable.getMessage()));
        } catch (TimeoutException | RuntimeException silent) {
            return Health.down("NATS does not answer: " + silent.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.down("Interrupted");
        }
    }

    private static Health jetStreamHealth(Link link) {
        try {
            link.connection().jetStreamManagement().getAccountStatistics();
            return Health.UP;
        } catch (JetStreamApiException refused) {
            return Health.down("JetStream is not available, error " + refused.getApiErrorCode());
        } catch (IOException | RuntimeException noAnswer) {
            return link.isUsable() ? Health.UNKNOWN : Health.down("The connection to NATS was lost");
        }
    }

    /** Looks at each subject: which stream takes it, where and how often that is kept. */
    @Override
    public List<Check> checks(Collection<String> topics) {
        return topics.stream().map(this::check).toList();
    }

    private Check check(String topic) {
        try {
            boolean isCreated = options.streamToCreate().isPresent();
            return new SubjectCheck(connector, mapping.subjectOf(topic), mapping.expectedStream(), isCreated);
        } catch (InvalidMessageException invalid) {
            return Check.of(
                    "NATS subject " + topic,
                    () -> List.of(Finding.error(
                            String.valueOf(invalid.getMessage()),
                            "its messages are rejected",
                            "Write another topic, or map it to one")));
        }
    }

    /** Takes no more messages, waits for what is on its way, at most the delivery time-out, and closes the connection. */
    @Override
    public void close() {
        isClosed = true;
        boolean interrupted = !awaitEndOfAll();
        publisher.shutdown();
        connector.close();
        endAllWaiting(whenClosed);
        sweeper.shutdownNow();
        unclaimed.close();
        closers.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitEndOfAll() {
        try {
            window.awaitEmpty(options.deliveryTimeout());
            return true;
        } catch (InterruptedException hurry) {
            return false;
        }
    }

    private ThreadFactory daemon(String duty) {
        return task -> {
            Thread thread = new Thread(task, "postrider-" + options.name() + "-" + duty);
            thread.setDaemon(true);
            return thread;
        };
    }
}
