package dev.postrider.spi.internal;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;

/** One attempt at one message; only its first settlement counts. */
final class Attempt<T> implements Delivery {

    private final DeliveryQueue<T> queue;
    private final Received<T> received;
    private final ReceiverReports reports;
    private final int number;
    private final long begin;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    Attempt(DeliveryQueue<T> queue, Received<T> received, ReceiverReports reports) {
        this.queue = queue;
        this.received = received;
        this.reports = reports;
        this.number = received.attempts();
        this.begin = reports.received();
    }

    @Override
    public OutboxMessage message() {
        return received.message();
    }

    @Override
    public CloudEventAttributes event() {
        return received.event().event().orElseGet(Delivery.super::event);
    }

    @Override
    public int attempt() {
        return number;
    }

    @Override
    public void acknowledge() {
        if (isSettled.compareAndSet(false, true)) {
            reports.handled(begin);
            if (queue.settle(received, true)) {
                queue.acknowledge(received);
            }
        }
    }

    @Override
    public void retryLater(String reason) {
        if (hasFailed()) {
            queue.retry(received, reason);
        }
    }

    @Override
    public void park(String reason) {
        if (hasFailed()) {
            queue.park(received, reason);
        }
    }

    private boolean hasFailed() {
        if (!isSettled.compareAndSet(false, true)) {
            return false;
        }
        reports.failed(begin);
        return queue.settle(received, false);
    }
}
