package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Delivery;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a receiver hands over, for a test to take one by one. */
final class Deliveries {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final BlockingQueue<Delivery> queue = new LinkedBlockingQueue<>();

    /** Starts the receiver. */
    static Deliveries of(Receiver receiver) {
        Deliveries deliveries = new Deliveries();
        receiver.start(Subscription.toAll("test"), deliveries.queue::add);
        return deliveries;
    }

    Delivery next() throws InterruptedException {
        Delivery next = queue.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        assertThat(next).as("a delivery").isNotNull();
        return next;
    }

    boolean isQuietFor(Duration time) throws InterruptedException {
        return queue.poll(time.toNanos(), TimeUnit.NANOSECONDS) == null;
    }

    int waiting() {
        return queue.size();
    }
}
