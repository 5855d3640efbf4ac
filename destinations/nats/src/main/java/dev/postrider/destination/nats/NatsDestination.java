package dev.postrider.destination.nats;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import dev.postrider.spi.internal.PendingSend;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

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

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final NatsOptions options;
    private final EventMapping mapping;
    private final UnclaimedMessages unclaimed;
    private final ExecutorService closers;
    private final LinkSender<Message, NatsLink> sender;

    NatsDestination(NatsOptions options, EventMapping mapping) {
        this.options = options;
        this.mapping = mapping;
        Failures failures = new Failures(options);
        Streams streams = new Streams(options.streamToCreate(), failures);
        this.unclaimed = new UnclaimedMessages(streams, this::publishAgain, threads("ask"));
        this.closers = Executors.newCachedThreadPool(threads("close"));
        this.sender = new LinkSender<>(
                new LinkSender.Options(options.name(), "NATS", options.maxInFlight(), options.deliveryTimeout()),
                new Connector(options, failures, closers, unclaimed::add));
    }

    private void publishAgain(PendingSend<Message> send) {
        sender.again(send);
    }

    private DaemonThreads threads(String duty) {
        return new DaemonThreads("postrider-" + options.name() + "-" + duty);
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
    public String system() {
        return "nats";
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
        return sender.send(() -> mapping.write(message), Failures.place(message.topic()));
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        return sender.send(() -> mapping.write(message), Failures.place(message.topic()), null, context.span());
    }

    /**
     * Connects if need be, and asks JetStream for a sign of life. Where the user may not ask for it, only a message can tell
     * more than that the server is there.
     */
    @Override
    public Health healthCheck() {
        try {
            NatsLink link = sender.link();
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

    private static Health jetStreamHealth(NatsLink link) {
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
            return new SubjectCheck(sender, mapping.subjectOf(topic), mapping.expectedStream(), isCreated);
        } catch (InvalidMessageException invalid) {
            return Check.ofRejected("NATS subject " + topic, invalid);
        }
    }

    /** Takes no more messages, waits for what is on its way, at most the delivery timeout, and closes the connection. */
    @Override
    public void close() {
        sender.close();
        unclaimed.close();
        closers.shutdown();
    }

    /**
     * Asks the server why no stream took a message, on a few threads, however many messages there are. Nobody has such a message, so it may end
     * meanwhile. Thread-safe.
     */
    private static final class UnclaimedMessages {

        private static final int ASKERS = 4;

        private final Streams streams;
        private final Consumer<PendingSend<Message>> publishAgain;
        private final ExecutorService askers;

        UnclaimedMessages(Streams streams, Consumer<PendingSend<Message>> publishAgain, ThreadFactory threads) {
            this.streams = streams;
            this.publishAgain = publishAgain;
            this.askers = Executors.newFixedThreadPool(ASKERS, threads);
        }

        void add(NatsLink link, PendingSend<Message> send) {
            send.release();
            try {
                askers.execute(() -> judge(link, send));
            } catch (RejectedExecutionException closed) {
                // Closed: it ends as everything that waits.
                publishAgain.accept(send);
            }
        }

        private void judge(NatsLink link, PendingSend<Message> send) {
            if (!send.hasEnded()) {
                streams.verdict(link, send.wire().getSubject(), send.claims() > 1)
                        .ifPresentOrElse(send::endIfWaiting, () -> publishAgain.accept(send));
            }
        }

        void close() {
            askers.shutdown();
        }
    }
}
