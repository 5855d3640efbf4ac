package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a message to another queue without losing it: publishes it with all its properties, mandatory, and acknowledges it where it was
 * only when the broker has confirmed that a queue has it.
 *
 * <p>While that does not succeed the message stays unacknowledged, and is published again after a pause, until its session ends and it
 * arrives again. Publishes on a connection of its own, so that an alarm of the broker, which stops those who publish, stops no
 * acknowledgements. Thread-safe.
 */
final class ConfirmedMove implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmedMove.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final int PERSISTENT = 2;
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final String name;
    private final RabbitmqDestination destination;
    private final Timer timer;
    private final Consumer<ConsumerSession> beforeNextTry;

    /**
     * For one receiver.
     *
     * @param beforeNextTry called on the timer's thread when no queue took a message, to create what is missing; may block
     */
    ConfirmedMove(String name, RabbitmqDestination destination, Timer timer, Consumer<ConsumerSession> beforeNextTry) {
        this.name = name;
        this.destination = destination;
        this.timer = timer;
        this.beforeNextTry = beforeNextTry;
    }

    /**
     * Moves a message.
     *
     * @param headers added to those of the message; left out if they make it too large
     * @param whenDone called once the message has left its queue, or its session has ended
     */
    void move(TakenMessage taken, String exchange, String routingKey, Map<String, Object> headers, Runnable whenDone) {
        new Moving(taken, exchange, routingKey, headers, whenDone).publish();
    }

    @Override
    public void close() {
        destination.close();
    }

    private final class Moving {

        private final TakenMessage taken;
        private final String exchange;
        private final String routingKey;
        private final Runnable whenDone;
        private Map<String, Object> headers;
        private int tries;

        Moving(TakenMessage taken, String exchange, String routingKey, Map<String, Object> headers, Runnable whenDone) {
            this.taken = taken;
            this.exchange = exchange;
            this.routingKey = routingKey;
            this.headers = headers;
            this.whenDone = whenDone;
        }

        void publish() {
            if (!taken.session().isOpen()) {
                whenDone.run();
                return;
            }
            tries++;
            WireMessage wire = new WireMessage(exchange, routingKey, properties(), taken.body());
            destination.publish(wire).whenComplete((result, failure) -> ended(result));
        }

        private BasicProperties properties() {
            Map<String, Object> all = new LinkedHashMap<>(taken.headers());
            // They would route copies by themselves.
            all.keySet().removeAll(PlainHeaders.ROUTES);
            DeathRecord.removeForged(all);
            all.putAll(headers);
            // With an expiration it would vanish from where it is kept; another's user id the broker would not take
            // from us.
            return taken.properties()
                    .builder()
                    .headers(all)
                    // What waits for an operator outlives a restart of the broker, however it was sent.
                    .deliveryMode(PERSISTENT)
                    .expiration(null)
                    .userId(null)
                    .build();
        }

        private void ended(DeliveryResult result) {
            if (result instanceof DeliveryResult.Failed failed) {
                failed(failed);
            } else {
                taken.acknowledge();
                whenDone.run();
            }
        }

        private void failed(DeliveryResult.Failed failed) {
            boolean isTooLarge = failed instanceof DeliveryResult.Reject;
            if (isTooLarge) {
                headers = Map.of();
            }
            throttle.warn(
                    exchange,
                    "Receiver {} cannot move a message to exchange '{}' with routing key '{}' and keeps it for now: {}",
                    name,
                    exchange,
                    routingKey,
                    failed.reason());
            timer.after(PAUSES.before(tries), () -> again(failed));
        }

        /** Whether missing queues or exchanges may be the cause. */
        private static boolean isForQueues(DeliveryResult.Failed failed) {
            return failed instanceof DeliveryResult.Retry || failed instanceof DeliveryResult.Unavailable;
        }

        /** Whatever comes of the repair, the message is published again or let go of: kept, it would count as in work for ever. */
        private void again(DeliveryResult.Failed failed) {
            try {
                if (isForQueues(failed) && taken.session().isOpen()) {
                    beforeNextTry.accept(taken.session());
                }
            } catch (RuntimeException closedMeanwhile) {
                LOG.debug("Receiver {} could not mend its queues", name, closedMeanwhile);
            } finally {
                publish();
            }
        }
    }
}
