package dev.postrider.destination.rabbitmq;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;

/** One attempt at one message. */
final class RabbitmqDelivery implements Delivery {

    private final TakenMessage taken;
    private final ArrivedEvent arrived;
    private final int attempt;
    private final Settlements settlements;
    private final AtomicBoolean isSettled = new AtomicBoolean();
    private volatile long handedOverAt;

    RabbitmqDelivery(TakenMessage taken, ArrivedEvent arrived, int attempt, Settlements settlements) {
        this.taken = taken;
        this.arrived = arrived;
        this.attempt = attempt;
        this.settlements = settlements;
    }

    /** The same message, to be handed over once more. */
    RabbitmqDelivery again() {
        return new RabbitmqDelivery(taken, arrived, attempt + 1, settlements);
    }

    void markHandedOver(long now) {
        handedOverAt = now;
    }

    long handedOverAt() {
        return handedOverAt;
    }

    TakenMessage taken() {
        return taken;
    }

    @Override
    public OutboxMessage message() {
        return arrived.message();
    }

    @Override
    public CloudEventAttributes event() {
        return arrived.event();
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public void acknowledge() {
        if (isSettled.compareAndSet(false, true)) {
            settlements.acknowledge(this);
        }
    }

    @Override
    public void retryLater(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            settlements.retry(this, reason);
        }
    }

    @Override
    public void park(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            settlements.park(this, reason);
        }
    }

    /** What is done when a delivery is settled, for the first time. */
    interface Settlements {
        void acknowledge(RabbitmqDelivery delivery);

        void retry(RabbitmqDelivery delivery, String reason);

        void park(RabbitmqDelivery delivery, String reason);
    }
}
