package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Delivery;
import dev.postrider.spi.ReceiverReports;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives deliveries to the subscriber, one call at a time, from whichever thread brings or settles one; so messages of a key never
 * overtake each other on the way. A thread that finds another at it leaves its work to that one. Thread-safe.
 */
final class HandOver {

    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

    private final UnsettledDeliveries unsettled;
    private final ReceiverReports reports;
    private final Consumer<Delivery> deliveries;
    private final AtomicInteger requests = new AtomicInteger();

    HandOver(UnsettledDeliveries unsettled, ReceiverReports reports, Consumer<Delivery> deliveries) {
        this.unsettled = unsettled;
        this.reports = reports;
        this.deliveries = deliveries;
    }

    /** Hands over whatever is ready. */
    void run() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Optional<RabbitmqDelivery> next = unsettled.take(); next.isPresent(); next = unsettled.take()) {
                handOver(next.get());
            }
            seen = requests.addAndGet(-seen);
        } while (seen != 0);
    }

    private void handOver(RabbitmqDelivery delivery) {
        delivery.markHandedOver(reports.received());
        try {
            deliveries.accept(delivery);
        } catch (RuntimeException | Error failure) {
            LOG.warn(
                    "Message {} could not be handed over; trying again later",
                    delivery.message().id(),
                    failure);
            delivery.retryLater("Could not be handed over: " + failure);
        } finally {
            unsettled.handedOverLast();
        }
    }
}
