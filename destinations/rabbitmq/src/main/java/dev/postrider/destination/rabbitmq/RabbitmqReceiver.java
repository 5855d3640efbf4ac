package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.ReceivedEvent;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives from a queue of RabbitMQ, in one of two ways.
 *
 * <p>{@link #plain}: a message that failed pauses and is tried again, by default in its place, so that its key keeps its order; what can
 * never be handled is rejected, to the dead-letter exchange of the queue. {@link #parkingLot}: a message that failed leaves the queue,
 * waits in another and comes back, while others go on; what can never be handled, or has used up its retries, is parked in a third.
 *
 * <p>A lost connection or consumer is opened again, however long the outage takes, unless {@link RabbitmqReceiverBuilder#recoveryTimeout}
 * sets a limit; after that {@link #termination} ends with the reason. Messages of one key are handed over in the order of the queue; several receivers on one queue
 * share its messages, and keep that order together only with {@link RabbitmqReceiverBuilder#singleActiveConsumer}. Thread-safe.
 *
 * <pre>{@code
 * Receiver receiver = RabbitmqReceiver.parkingLot("billing")
 *         .addresses("rabbit-1:5672")
 *         .credentials("billing", password)
 *         .declareTopology()
 *         .bindEvents()
 *         .build();
 * }</pre>
 *
 * <p>Threads: one of the connection takes messages; the timer's ends pauses; a thread of its own gets a lost connection back; whoever
 * brings or settles a message may hand over the next one.
 */
public final class RabbitmqReceiver implements Receiver {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitmqReceiver.class);

    private final ReceiverOptions options;
    private final QueueSettlement settlement;
    private final DeliveryQueue<TakenMessage> unsettled;
    private final CompletableFuture<Void> termination = new CompletableFuture<>();
    private @Nullable Consumption consumption;
    private boolean isStopped;

    RabbitmqReceiver(ReceiverOptions options, QueueSettlement settlement, Timer timer) {
        this.options = options;
        this.settlement = settlement;
        this.unsettled = new DeliveryQueue<>(name(), options.prefetch(), settlement, options.listener(), timer);
    }

    /** A receiver that tries failed messages again on the spot, from the queue of this name. */
    public static PlainReceiverBuilder plain(String queue) {
        return new PlainReceiverBuilder(queue);
    }

    /** A receiver that lets failed messages wait elsewhere and parks them in the end, from the queue of this name. */
    public static ParkingLotReceiverBuilder parkingLot(String queue) {
        return new ParkingLotReceiverBuilder(queue);
    }

    /** The name of the queue. */
    @Override
    public String name() {
        return options.names().incoming();
    }

    @Override
    public String system() {
        return "rabbitmq";
    }

    @Override
    public int prefetch() {
        return options.prefetch();
    }

    @Override
    public Ordering ordering() {
        return settlement.ordering();
    }

    @Override
    public synchronized void start(Subscription subscription, Consumer<Delivery> deliveries) {
        Objects.requireNonNull(deliveries, "deliveries");
        if (consumption != null || isStopped) {
            throw new IllegalStateException("Receiver " + name() + " was started before; make a new one");
        }
        unsettled.start(deliveries);
        consumption = new Consumption(
                options, subscription, taken -> take(taken, subscription), unsettled::forgetLost, this::failed);
        consumption.start();
    }

    private void take(TakenMessage taken, Subscription subscription) {
        int attempts = settlement.attemptsBefore(taken);
        ReceivedEvent event;
        try {
            String exchange = DeathRecord.exchangeOf(taken, name());
            event = EventMapping.readEvent(exchange, taken.properties(), taken.body());
        } catch (RuntimeException unreadable) {
            // Whatever a producer has put together, it must not end the consumer.
            unsettled.park(taken, attempts + 1, "It is no event: " + unreadable.getMessage());
            return;
        }
        unsettled.add(taken, event, event.keyBy(options.keyAttribute(), subscription), attempts, Duration.ZERO);
    }

    private void failed(ReceiverException reason) {
        LOG.error("Receiver {} has ended: it receives nothing any more", name(), reason);
        termination.completeExceptionally(reason);
    }

    @Override
    public void stop() {
        unsettled.stop();
        running().ifPresent(Consumption::stop);
    }

    private synchronized Optional<Consumption> running() {
        isStopped = true;
        return Optional.ofNullable(consumption);
    }

    @Override
    public void close() {
        stop();
        settlement.close();
        running().ifPresent(Consumption::close);
        unsettled.close();
        termination.complete(null);
    }

    @Override
    public CompletionStage<Void> termination() {
        return termination.minimalCompletionStage();
    }

    /** Whether it is consuming now. */
    @Override
    public Health healthCheck() {
        Consumption current;
        synchronized (this) {
            current = consumption;
        }
        return current == null ? Health.UNKNOWN : current.health();
    }
}
