package dev.postrider.destination.nats;

import dev.postrider.destination.nats.EventMapping.Event;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import io.nats.client.Message;
import java.util.concurrent.atomic.AtomicBoolean;

/** One delivery of one message. */
final class NatsDelivery implements Delivery {

    private final Settlements settlements;
    private final Message wire;
    private final Event event;
    private final int attempt;
    private final AtomicBoolean isSettled = new AtomicBoolean();
    private volatile String answerTo;
    private volatile long handedOverAt;

    NatsDelivery(Settlements settlements, Message wire, Event event) {
        this.settlements = settlements;
        this.wire = wire;
        this.event = event;
        this.attempt = (int) Math.min(Integer.MAX_VALUE, wire.metaData().deliveredCount());
        this.answerTo = wire.getReplyTo();
    }

    @Override
    public OutboxMessage message() {
        return event.message();
    }

    @Override
    public CloudEventAttributes event() {
        return event.attributes();
    }

    @Override
    public int attempt() {
        return attempt;
    }

    void markHandedOver(long now) {
        handedOverAt = now;
    }

    long handedOverAt() {
        return handedOverAt;
    }

    Message wire() {
        return wire;
    }

    /** The place of the message in its stream. */
    long sequence() {
        return wire.metaData().streamSequence();
    }

    /** Where the server waits for an answer. */
    String answerTo() {
        return answerTo;
    }

    /** The server has delivered the message once more meanwhile, and waits for an answer there. */
    void answerTo(String subject) {
        this.answerTo = subject;
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
}
