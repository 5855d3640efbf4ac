package dev.postrider.destination.nats;

import dev.postrider.spi.internal.Received;
import dev.postrider.spi.internal.Settlement;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the server what became of its messages, over whatever connection there is. Thread-safe.
 *
 * <p>An answer that gets lost costs a second delivery. What is parked is answered only when a stream has acknowledged it.
 */
final class ConsumerSettlement implements Settlement<PulledMessage> {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerSettlement.class);
    private static final String ACKNOWLEDGED = "+ACK";
    private static final String IN_PROGRESS = "+WPI";
    private static final String AGAIN = "-NAK";

    private final NatsReceiverOptions options;
    private final Parking parking;
    private final Executor parkers;
    private volatile @Nullable Connection connection;

    ConsumerSettlement(NatsReceiverOptions options, Parking parking, Executor parkers) {
        this.options = options;
        this.parking = parking;
        this.parkers = parkers;
    }

    void use(Connection current) {
        connection = current;
    }

    Optional<Connection> connection() {
        return Optional.ofNullable(connection);
    }

    @Override
    public int maxAttempts() {
        return options.maxAttempts();
    }

    @Override
    public void acknowledge(Received<PulledMessage> received) {
        acknowledge(received.source());
    }

    void acknowledge(PulledMessage message) {
        answer(message, ACKNOWLEDGED);
    }

    @Override
    public Optional<Duration> retry(Received<PulledMessage> received, String reason, Runnable done) {
        again(received.source(), options.backoff().delay(received.attempts()));
        done.run();
        return Optional.empty();
    }

    /** The server is to deliver it after this time. */
    void again(PulledMessage message, Duration delay) {
        answer(message, AGAIN + (delay.isZero() ? "" : " {\"delay\": " + delay.toNanos() + "}"));
    }

    /** It stays among the unsettled until it is safe, so that the server is told to wait. */
    @Override
    public void park(Received<PulledMessage> received, String reason, Runnable done) {
        try {
            parkers.execute(() -> {
                try {
                    park(received, reason);
                } finally {
                    done.run();
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("{} is closed; a message to be parked arrives again", options.name());
        }
    }

    private void park(Received<PulledMessage> received, String reason) {
        PulledMessage message = received.source();
        if (parking.park(connection(), message.wire(), received.attempts(), reason)) {
            acknowledge(message);
        } else {
            again(message, options.backoff().delay(received.attempts()));
        }
    }

    /** Tells the server that handlers are still at it. */
    void keepAlive(PulledMessage message) {
        answer(message, IN_PROGRESS);
    }

    private void answer(PulledMessage message, String text) {
        Connection current = connection;
        // The client drops without a word what an interrupted thread publishes.
        boolean isInterrupted = Thread.interrupted();
        try {
            if (current != null) {
                current.publish(message.answerTo(), text.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (RuntimeException lost) {
            LOG.debug("NATS cannot be told what became of a message, which arrives again", lost);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
