package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Health;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import dev.postrider.spi.internal.PendingSend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final RabbitmqOptions options;
    private final EventMapping mapping;
    private final LinkSender<WireMessage, RabbitmqLink> sender;

    RabbitmqDestination(RabbitmqOptions options, EventMapping mapping) {
        this.options = options;
        this.mapping = mapping;
        Failures failures = new Failures(options);
        Suspects suspects = new Suspects(this::publishAgain);
        this.sender = new LinkSender<>(
                new LinkSender.Options(options.name(), "RabbitMQ", options.maxInFlight(), options.deliveryTimeout()),
                () -> RabbitmqLink.open(options, failures, suspects));
    }

    private void publishAgain(PendingSend<WireMessage> send) {
        sender.again(send);
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
    public String system() {
        return "rabbitmq";
    }

    @Override
    public Duration deliveryTimeout() {
        return options.deliveryTimeout();
    }

    @Override
    public int maxInFlight() {
        return options.maxInFlight();
    }

    /** {@link KeyOrder#PIPELINED} only with {@link RabbitmqDestinationBuilder#allowReorderingOnRefusal}. */
    @Override
    public KeyOrder keyOrder() {
        return options.pipelinesKeys() ? KeyOrder.PIPELINED : KeyOrder.ONE_BY_ONE;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return sendInRun(message, null, TraceSpan.NONE);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
        return sendInRun(message, options.pipelinesKeys() ? context.run() : null, context.span());
    }

    private CompletionStage<DeliveryResult> sendInRun(OutboxMessage message, @Nullable KeyRun run, TraceSpan span) {
        int bytes = message.payload().length;
        return bytes <= options.maxPayloadBytes()
                ? sender.send(() -> mapping.write(message), Failures.place(message.topic()), run, span)
                : CompletableFuture.completedFuture(
                        DeliveryResult.reject("The payload is too large: %d bytes, maxPayloadBytes is %d"
                                .formatted(bytes, options.maxPayloadBytes())));
    }

    /** Publishes exactly this, with the same promises as {@link #send}. */
    CompletionStage<DeliveryResult> publish(WireMessage wire) {
        return sender.send(wire);
    }

    /** Connects if need be, and finds out whether the broker takes messages; see the guide for how. */
    @Override
    public Health healthCheck() {
        try {
            RabbitmqLink link = sender.link();
            boolean answers = link.blockedBecause().isEmpty() && link.probe().answersWithin(PROBE_PATIENCE);
            return answers ? Health.UP : Health.down(whyNot(link));
        } catch (NoLinkException unreachable) {
            return Health.down(String.valueOf(unreachable.getMessage()));
        } catch (IOException | RuntimeException lost) {
            return Health.down("The connection to RabbitMQ was lost: " + lost);
        }
    }

    private static String whyNot(RabbitmqLink link) {
        return link.blockedBecause()
                .map(reason -> "RabbitMQ takes no messages at present: " + reason)
                .orElse("RabbitMQ did not confirm a test message within " + PROBE_PATIENCE);
    }

    /** Looks at the exchange of each topic and at the queues that were named to the builder. */
    @Override
    public List<Check> checks(Collection<String> topics) {
        List<Check> checks = new ArrayList<>();
        topics.forEach(topic -> check(topic).ifPresent(checks::add));
        options.checkedQueues().forEach(queue -> checks.add(new QueueCheck(sender, queue)));
        return checks;
    }

    private Optional<Check> check(String topic) {
        try {
            return mapping.exchangeOf(topic)
                    .map(exchange -> new ExchangeCheck(
                            sender, exchange, options.declared().ifMissing()));
        } catch (InvalidMessageException invalid) {
            return Optional.of(Check.ofRejected("RabbitMQ exchange " + topic, invalid));
        }
    }

    /** Takes no more messages, waits for what is on its way, at most the delivery timeout, and closes the connection. */
    @Override
    public void close() {
        sender.close();
    }

    /** Looks whether an exchange exists. To which queues it leads, AMQP does not tell; an unroutable message is never lost. */
    private static final class ExchangeCheck implements Check {

        private final LinkSender<WireMessage, RabbitmqLink> sender;
        private final String exchange;
        private final boolean isDeclared;

        ExchangeCheck(LinkSender<WireMessage, RabbitmqLink> sender, String exchange, boolean isDeclared) {
            this.sender = sender;
            this.exchange = exchange;
            this.isDeclared = isDeclared;
        }

        @Override
        public String name() {
            return "RabbitMQ exchange " + exchange;
        }

        @Override
        public List<Finding> run() throws NoLinkException, IOException {
            Optional<ShutdownSignalException> refused =
                    sender.link().ask(channel -> channel.exchangeDeclarePassive(exchange));
            if (refused.isEmpty() || (isDeclared && Failures.isNotFound(refused.get()))) {
                return List.of();
            }
            return List.of(
                    Failures.isNotFound(refused.get())
                            ? Finding.error(
                                    "there is no exchange " + exchange,
                                    "its messages fail and end as dead letters",
                                    "Declare it as a durable exchange with its bindings, or set declare-exchanges")
                            : Finding.error(
                                    "exchange " + exchange + " may not be used: " + Failures.replyText(refused.get()),
                                    "its messages fail",
                                    "Give this user the right to write to it"));
        }
    }
}
