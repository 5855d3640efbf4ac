package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.destination.rabbitmq.Connector.NoLinkException;
import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what waits in the line, on one thread of its own: whoever sends never waits for a socket, a handshake or an
 * answer.
 *
 * <p>When nothing can be sent, everything that waits ends as an outage, and the relay decides when to try again.
 */
final class Publisher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    private final WaitingLine line;
    private final Connector connector;
    private final Failures failures;

    /** Exchanges whose messages have closed a channel: they go alone until one gets through. */
    private final Set<String> distrusted = ConcurrentHashMap.newKeySet();

    Publisher(WaitingLine line, Connector connector, Failures failures) {
        this.line = line;
        this.connector = connector;
        this.failures = failures;
    }

    @Override
    public void run() {
        try {
            for (Optional<Sending> next = line.take(); next.isPresent(); next = line.take()) {
                publish(next.get());
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void publish(Sending sending) {
        try {
            Link link = connector.open();
            Optional<DeliveryResult> refusal = refusal(link, sending.wire());
            if (refusal.isPresent()) {
                sending.endIfWaiting(refusal.get());
            } else if (line.isAlone(sending)) {
                publishAlone(link, sending);
            } else if (distrusted.contains(sending.wire().exchange())) {
                line.addSuspects(List.of(sending));
            } else if (sending.claim()) {
                hand(link, sending, link::publish);
            }
        } catch (NoLinkException unreachable) {
            endAll(sending, DeliveryResult.outage(String.valueOf(unreachable.getMessage()), unreachable));
        } catch (IOException | ShutdownSignalException lost) {
            connector.current().ifPresent(link -> link.cut(failures.ofLostConnection(lost)));
            endAll(sending, failures.ofLostConnection(lost));
        } catch (RuntimeException | Error unexpected) {
            // Contained: without this thread nothing would ever be published again.
            LOG.error("Publishing failed in an unexpected way", unexpected);
            connector.current().ifPresent(link -> link.cut(failures.ofLostConnection(unexpected)));
            sending.end(failures.ofLostConnection(unexpected));
        }
    }

    private Optional<DeliveryResult> refusal(Link link, WireMessage wire) throws IOException {
        Optional<String> blocked = link.blockedBecause();
        if (blocked.isPresent()) {
            return Optional.of(DeliveryResult.outage("RabbitMQ takes no messages at present: " + blocked.get()));
        }
        Optional<DeliveryResult> tooLarge = HeaderFrame.refusal(wire, link.maxFrameBytes());
        return tooLarge.isPresent() ? tooLarge : link.exchanges().refusal(wire);
    }

    private void publishAlone(Link link, Sending sending) throws IOException {
        if (sending.claim()) {
            String exchange = sending.wire().exchange();
            distrusted.add(exchange);
            var unused = sending.result().thenAccept(result -> {
                if (!hasClosedItsChannel(result)) {
                    distrusted.remove(exchange);
                }
            });
            hand(link, sending, link::publishAlone);
        }
    }

    private static boolean hasClosedItsChannel(DeliveryResult result) {
        return result instanceof DeliveryResult.Failed failed
                && failed.cause()
                        .filter(ShutdownSignalException.class::isInstance)
                        .isPresent();
    }

    /** A claimed message must end: no time-out will do it. */
    private void hand(Link link, Sending sending, Way way) throws IOException {
        try {
            way.publish(sending);
        } catch (IOException | RuntimeException failed) {
            sending.end(failures.ofLostConnection(failed));
            throw failed;
        }
        if (!link.isUsable()) {
            // The link may have been cut after its channels were emptied and before this message was on one.
            link.cut(DeliveryResult.outage("The connection to RabbitMQ was cut"));
        }
    }

    private void endAll(Sending first, DeliveryResult outage) {
        first.endIfWaiting(outage);
        line.endAllWaiting(outage);
    }

    private interface Way {
        void publish(Sending sending) throws IOException;
    }
}
