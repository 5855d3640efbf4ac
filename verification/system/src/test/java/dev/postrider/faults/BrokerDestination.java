package dev.postrider.faults;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends to a {@link RecordingBroker} over one connection, any number of messages at once.
 *
 * <p>A lost connection is an outage for all that is outstanding on it. So is an answer that does not come in time: the
 * connection is closed first, so that the message cannot arrive later than it is reported.
 */
final class BrokerDestination implements Destination {

    private final String name;
    private final String relay;
    private final int port;
    private final Duration timeout;
    private @Nullable BrokerConnection connection;

    BrokerDestination(String name, String relay, int port, Duration timeout) {
        this.name = name;
        this.relay = relay;
        this.port = port;
        this.timeout = timeout;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Duration deliveryTimeout() {
        return timeout;
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        try {
            return connection().send(message);
        } catch (IOException unreachable) {
            return CompletableFuture.completedFuture(DeliveryResult.outage(unreachable.toString()));
        }
    }

    private synchronized BrokerConnection connection() throws IOException {
        if (connection == null || connection.isClosed()) {
            connection = BrokerConnection.open(relay, port, timeout);
        }
        return connection;
    }

    @Override
    public Health healthCheck() {
        try (BrokerConnection probe = BrokerConnection.open(relay, port, timeout)) {
            return probe.isClosed() ? Health.down("The broker has closed the connection") : Health.UP;
        } catch (IOException unreachable) {
            return Health.down(unreachable.toString());
        }
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.close();
        }
    }
}
