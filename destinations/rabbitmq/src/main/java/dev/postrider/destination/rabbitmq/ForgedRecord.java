package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.internal.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/**
 * Puts a message back into its queue without the header {@code x-death} that somebody forged, and acknowledges it. To reject it would
 * crash the queue of RabbitMQ 3.10, and lose it. It arrives once more, and can be rejected then.
 */
final class ForgedRecord {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(ForgedRecord.class));
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private ForgedRecord() {}

    /** Returns at once; the rest is done on the timer's thread. */
    static void remove(TakenMessage taken, String queue, Timer timer) {
        timer.after(Duration.ZERO, () -> {
            try {
                publish(taken, queue);
                taken.acknowledge();
            } catch (IOException | TimeoutException | ShutdownSignalException failed) {
                LOG.warn(
                        queue,
                        "A message with a forged header x-death cannot be put back into queue {} without it, and stays there: {}",
                        queue,
                        ConnectFailure.rootOf(failed));
                timer.after(PAUSE, taken::requeue);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void publish(TakenMessage taken, String queue)
            throws IOException, TimeoutException, InterruptedException {
        Map<String, Object> headers = new LinkedHashMap<>(taken.headers());
        headers.keySet().removeAll(PlainHeaders.ROUTES);
        DeathRecord.removeForged(headers);
        try (Channel channel = taken.session().connection().createChannel()) {
            channel.confirmSelect();
            channel.basicPublish(
                    "",
                    queue,
                    taken.properties().builder().headers(headers).userId(null).build(),
                    taken.body());
            channel.waitForConfirmsOrDie(PATIENCE.toMillis());
        }
    }
}
