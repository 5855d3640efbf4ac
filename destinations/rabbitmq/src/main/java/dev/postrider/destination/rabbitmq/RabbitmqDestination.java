package dev.postrider.destination.rabbitmq;

import dev.postrider.destination.rabbitmq.Connector.NoLinkException;
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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to RabbitMQ.
 *
 * <p>Delivered means confirmed by the broker and routed to at least one queue: every message is published with publisher
 * confirms and {@code mandatory}, and one that is returned has failed. Confirms are pipelined over several channels of one
 * connection. A lost connection ends everything on it as an outage, and the next send opens a new one; nothing is taken for
 * confirmed that the broker did not confirm on the same channel. An alarm of the broker, refused credentials and a missing
 * confirm are outages of the broker. A missing or forbidden exchange, an unroutable message and a refusal by a full queue are
 * outages of that place alone. A message that is too large is rejected.
 *
 * <p>Opening it connects to nothing: that happens with the first message. Thread-safe; {@code send} never waits for the
 * network.
 *
 * <pre>{@code
 * Destination rabbit = RabbitmqDestination.builder("rabbit")
 *         .addresses("rabbit-1:5672", "rabbit-2:5672")
 *         .credentials("orders", password)
 *         .build();
 * }</pre>
 */
public final class RabbitmqDestination implements Destination {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitmqDestination.class);
    private static final Duration SWEEP = Duration.ofMillis(50);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final RabbitmqOptions options;
    private final EventMapping mapping;
    private final Failures failures;
    private final DeliveryResult whenClosed;
    private final WaitingLine line;
    private final Connector connector;
    private final SendWindow window;
    private final Thread publisher;
    private final ScheduledThreadPoolExecutor sweeper;
    private volatile boolean isClosed;

    RabbitmqDestination(RabbitmqOptions options, EventMapping mapping) {
        this.options = options;
        this.mapping = mapping;
        this.failures = new Failures(options);
        this.whenClosed = DeliveryResult.outage(options.name() + " is closed");
        this.line = new WaitingLine(whenClosed);
        this.connector = new Connector(options, failures, line::addSuspects);
        this.window = new SendWindow(options.maxInFlight());
        this.publisher = daemon(new Publisher(line, connector, failures), "publish");
        this.sweeper = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "timeout"));
        publisher.start();
        var unused =
                sweeper.scheduleWithFixedDelay(this::sweep, SWEEP.toMillis(), SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A destination of this name, by default for a broker on this machine. */
    public static RabbitmqDestinationBuilder builder(String name) {
        return new RabbitmqDestinationBuilder(name);
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
        Optional<DeliveryResult> tooLarge = tooLarge(message);
        if (tooLarge.isPresent()) {
            return ended(tooLarge.get());
        }
        try {
            return publish(mapping.write(message)).thenApply(result -> concerningTopic(result, message.topic()));
        } catch (InvalidMessageException invalid) {
            return ended(DeliveryResult.reject(String.valueOf(invalid.getMessage()), invalid));
        }
    }

    /** Where the topic is the exchange, all messages of the topic go there. */
    private static DeliveryResult concerningTopic(DeliveryResult result, String topic) {
        return result instanceof Unavailable place && place.place().equals(Failures.place(topic))
                ? place.concerningTopic(true)
                : result;
    }

    private Optional<DeliveryResult> tooLarge(OutboxMessage message) {
        int bytes = message.payload().length;
        return bytes <= options.maxPayloadBytes()
                ? Optional.empty()
                : Optional.of(DeliveryResult.reject("The payload is too large: %d bytes, maxPayloadBytes is %d"
                        .formatted(bytes, options.maxPayloadBytes())));
    }

    /** Publishes exactly this, with the same promises as {@link #send}. */
    CompletionStage<DeliveryResult> publish(WireMessage wire) {
        if (isClosed) {
            return ended(whenClosed);
        }
        long deadline = System.nanoTime() + options.confirmTimeout().toNanos();
        Sending sending = new Sending(wire, deadline, this::ended);
        return window.enter(() -> line.add(sending))
                ? sending.result()
                : ended(DeliveryResult.outage("Too many messages wait for %s, which has %d on their way, its limit"
                        .formatted(name(), options.maxInFlight())));
    }

    private void ended(Sending sending) {
        window.leave();
        line.ended(sending);
    }

    private static CompletionStage<DeliveryResult> ended(DeliveryResult result) {
        return CompletableFuture.completedFuture(result);
    }

    /** Contained: it would be called no more, and nothing would end in time any more. */
    private void sweep() {
        try {
            endOverdue(System.nanoTime());
        } catch (RuntimeException unexpected) {
            LOG.error("Ending what took too long failed; tried again", unexpected);
        }
    }

    /** A message without a confirm can only be given up together with its connection: else it might still arrive. */
    private void endOverdue(long now) {
        line.endOverdue(
                now,
                DeliveryResult.outage(
                        "RabbitMQ was not ready to take it within " + Readable.time(options.confirmTimeout())));
        connector
                .current()
                .filter(link -> link.hasOverdue(now))
                .ifPresent(link -> link.cut(failures.ofMissingConfirm()));
    }

    /** Connects if need be, and finds out whether the broker takes messages; see the guide for how. */
    @Override
    public Health healthCheck() {
        if (isClosed) {
            return Health.down(name() + " is closed");
        }
        try {
            Link link = connector.open();
            boolean answers = link.blockedBecause().isEmpty() && link.probe().answersWithin(PROBE_PATIENCE);
            return answers ? Health.UP : Health.down(whyNot(link));
        } catch (NoLinkException unreachable) {
            return Health.down(String.valueOf(unreachable.getMessage()));
        } catch (IOException | RuntimeException lost) {
            return Health.down("The connection to RabbitMQ was lost: " + lost);
        }
    }

    private static String whyNot(Link link) {
        return link.blockedBecause()
                .map(reason -> "RabbitMQ takes no messages at present: " + reason)
                .orElse("RabbitMQ did not confirm a test message within " + PROBE_PATIENCE);
    }

    /** Looks at the exchange of each topic and at the queues that were named to the builder. */
    @Override
    public List<Check> checks(Collection<String> topics) {
        List<Check> checks = new ArrayList<>();
        topics.forEach(topic -> check(topic).ifPresent(checks::add));
        options.checkedQueues().forEach(queue -> checks.add(new QueueCheck(connector, queue)));
        return checks;
    }

    private Optional<Check> check(String topic) {
        try {
            return mapping.exchangeOf(topic)
                    .map(exchange -> new ExchangeCheck(connector, exchange, options.declaresExchanges()));
        } catch (InvalidMessageException invalid) {
            return Optional.of(Check.of(
                    "RabbitMQ exchange " + topic,
                    () -> List.of(Finding.error(
                            String.valueOf(invalid.getMessage()),
                            "its messages are rejected",
                            "Write another topic, or map it to one"))));
        }
    }

    /** Takes no more messages, waits for what is on its way, at most the delivery time-out, and closes the connection. */
    @Override
    public void close() {
        isClosed = true;
        boolean interrupted = !awaitEndOfAll();
        line.close();
        connector.close();
        line.endAllWaiting(whenClosed);
        sweeper.shutdownNow();
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

    private Thread daemon(Runnable task, String duty) {
        Thread thread = new Thread(task, "postrider-" + options.name() + "-" + duty);
        thread.setDaemon(true);
        return thread;
    }
}
