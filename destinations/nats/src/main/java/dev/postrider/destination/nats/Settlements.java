package dev.postrider.destination.nats;

import dev.postrider.spi.ReceiverReports;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the server what became of its messages, over whatever connection there is. Thread-safe.
 *
 * <p>An answer that gets lost costs a second delivery. What is parked is answered only when a stream has acknowledged it.
 */
final class Settlements {

    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    private static final String ACKNOWLEDGED = "+ACK";
    private static final String IN_PROGRESS = "+WPI";
    private static final String AGAIN = "-NAK";

    private final NatsReceiverOptions options;
    private final UnsettledDeliveries unsettled;
    private final Parking parking;
    private final ExecutorService parkers;
    private final ReceiverReports reports;
    private volatile @Nullable Connection connection;

    Settlements(NatsReceiverOptions options, UnsettledDeliveries unsettled, Parking parking, ExecutorService parkers) {
        this.options = options;
        this.unsettled = unsettled;
        this.parking = parking;
        this.parkers = parkers;
        this.reports = new ReceiverReports(options.name(), options.listener());
    }

    void handedOver(NatsDelivery delivery) {
        delivery.markHandedOver(reports.received());
    }

    void use(Connection current) {
        connection = current;
    }

    Optional<Connection> connection() {
        return Optional.ofNullable(connection);
    }

    void acknowledge(NatsDelivery delivery) {
        reports.handled(delivery.handedOverAt());
        if (unsettled.remove(delivery)) {
            acknowledge(delivery.answerTo());
        }
    }

    void acknowledge(String answerTo) {
        answer(answerTo, ACKNOWLEDGED);
    }

    void retry(NatsDelivery delivery, String reason) {
        if (delivery.attempt() >= options.maxAttempts()) {
            park(delivery, reason);
            return;
        }
        reports.failed(delivery.handedOverAt());
        reports.retried();
        if (unsettled.remove(delivery)) {
            again(delivery.answerTo(), options.backoff().delay(delivery.attempt()));
        }
    }

    /** The server is to deliver it after this time. */
    void again(String answerTo, Duration delay) {
        answer(answerTo, AGAIN + (delay.isZero() ? "" : " {\"delay\": " + delay.toNanos() + "}"));
    }

    /** It stays among the unsettled until it is safe, so that the server is told to wait. */
    void park(NatsDelivery delivery, String reason) {
        LOG.warn("{} is parked by {}: {}", delivery.message(), options.name(), reason);
        reports.failed(delivery.handedOverAt());
        reports.parked();
        try {
            parkers.execute(() -> {
                boolean isSafe = parking.park(connection(), delivery.wire(), delivery.attempt(), reason);
                if (unsettled.remove(delivery)) {
                    endParking(delivery.answerTo(), isSafe, delivery.attempt());
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("{} is closed; a message to be parked arrives again", options.name());
        }
    }

    /** For a message that nobody can read, or that has been delivered too often. */
    void parkUnread(io.nats.client.Message wire, String reason) {
        LOG.warn(
                "Message {} of {} is parked by {}: {}",
                wire.metaData().streamSequence(),
                options.stream(),
                options.name(),
                reason);
        reports.parked();
        int attempt = (int) Math.min(Integer.MAX_VALUE, wire.metaData().deliveredCount());
        endParking(wire.getReplyTo(), parking.park(connection(), wire, attempt, reason), attempt);
    }

    private void endParking(String answerTo, boolean isSafe, int attempt) {
        if (isSafe) {
            acknowledge(answerTo);
        } else {
            again(answerTo, options.backoff().delay(attempt));
        }
    }

    /** Tells the server that handlers are still at it. */
    void keepAlive() {
        unsettled.all().forEach(delivery -> answer(delivery.answerTo(), IN_PROGRESS));
    }

    private void answer(String answerTo, String text) {
        Connection current = connection;
        try {
            if (current != null) {
                current.publish(answerTo, text.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (RuntimeException lost) {
            LOG.debug("NATS cannot be told what became of a message, which arrives again", lost);
        }
    }
}
