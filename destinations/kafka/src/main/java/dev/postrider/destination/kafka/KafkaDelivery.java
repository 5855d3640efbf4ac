package dev.postrider.destination.kafka;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.util.concurrent.atomic.AtomicBoolean;

/** One attempt at one record. */
final class KafkaDelivery implements Delivery {

    private final Settlements settlements;
    private final IncomingRecord record;
    private final IncomingRecord.Content content;
    private final int attempt;
    private final long handedOverAt;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    KafkaDelivery(Settlements settlements, IncomingRecord record, long handedOverAt) {
        this.settlements = settlements;
        this.record = record;
        this.content = record.content();
        this.attempt = record.attempt;
        this.handedOverAt = handedOverAt;
    }

    @Override
    public OutboxMessage message() {
        return content.message();
    }

    @Override
    public CloudEventAttributes event() {
        return content.event();
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public void acknowledge() {
        if (isSettled.compareAndSet(false, true)) {
            settlements.handled(record, handedOverAt);
        }
    }

    @Override
    public void retryLater(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            settlements.failed(handedOverAt);
            settlements.retry(record, attempt, reason);
        }
    }

    @Override
    public void park(String reason) {
        if (isSettled.compareAndSet(false, true)) {
            settlements.failed(handedOverAt);
            settlements.park(record, attempt, reason);
        }
    }
}
