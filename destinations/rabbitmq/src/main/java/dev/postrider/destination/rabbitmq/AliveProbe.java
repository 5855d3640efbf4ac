package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds out whether the broker takes messages.
 *
 * <p>An open connection does not tell: under a memory or disk alarm the broker lets clients connect and stops reading only
 * when they publish. So an empty message goes to the default exchange, for a queue that does not exist: the broker drops it
 * and confirms. A user who may not write there is refused, which is an answer as well. For one thread at a time.
 */
final class AliveProbe {

    private static final byte[] NOTHING = {};
    private static final BasicProperties TRANSIENT =
            new BasicProperties.Builder().deliveryMode(1).build();

    private final Connection connection;
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

    AliveProbe(Connection connection) {
        this.connection = connection;
    }

    /** Whether an answer came in this time; one that is late counts for the next call. */
    synchronized boolean answersWithin(Duration patience) throws IOException {
        if (answer.isDone()) {
            answer = ask();
        }
        try {
            answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return connection.isOpen();
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private CompletableFuture<Void> ask() throws IOException {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left");
        }
        channel.addShutdownListener(closed -> answered.complete(null));
        channel.addConfirmListener(
                (tag, isMultiple) -> answered.complete(null), (tag, isMultiple) -> answered.complete(null));
        channel.confirmSelect();
        channel.basicPublish("", "postrider.health." + UUID.randomUUID(), false, TRANSIENT, NOTHING);
        return answered.whenCompleteAsync((done, failed) -> RabbitmqLink.closeQuietly(channel));
    }
}
