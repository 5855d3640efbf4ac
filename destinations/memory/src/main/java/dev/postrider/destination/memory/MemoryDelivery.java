package dev.postrider.destination.memory;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;

/** One attempt at one message. */
final class MemoryDelivery implements Delivery {

    private final MemoryReceiver receiver;
    private final OutboxMessage message;
    private final int attempt;
    private final AtomicBoolean isSettled = new AtomicBoolean();
    private volatile long handedOverAt;

    MemoryDelivery(MemoryReceiver receiver, OutboxMessage message, int attempt) {
        this.receiver = receiver;
        this.message = message;
        this.attempt = attempt;
    }

    void markHandedOver(long now) {
        handedOverAt = now;
    }

    long handedOverAt() {
        return handedOverAt;
    }

    @Override
    public OutboxMessage message() {
        return message;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public void acknowledge() {
        if (isSettled.compareAndSet(false, true)) {
            receiver.handled(this);
        }
    }

    @Override
    public void retryLater(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            receiver.retry(this, reason);
        }
    }

    @Override
    public void park(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            receiver.park(this, reason);
        }
    }
}
