package dev.postrider.destination.kafka;

import dev.postrider.spi.internal.Received;
import dev.postrider.spi.internal.Settlement;
import java.time.Duration;
import java.util.Optional;

/** What becomes of a record when its handler has ended: it waits where it is, or goes to a retry or parking topic. Thread-safe. */
record TopicSettlement(OpenPartitions partitions, RetryPlan plan, RecordForwarder forwarder)
        implements Settlement<IncomingRecord> {

    @Override
    public int maxAttempts() {
        return plan.maxAttempts();
    }

    @Override
    public void acknowledge(Received<IncomingRecord> received) {
        partitions.finish(received.source());
    }

    @Override
    public Optional<Duration> retry(Received<IncomingRecord> received, String reason, Runnable done) {
        if (plan.isInPlace()) {
            return Optional.of(plan.backoff().delay(received.attempts()));
        }
        forward(received, plan.retryTopicAfter(received.attempts()), reason, done);
        return Optional.empty();
    }

    @Override
    public void park(Received<IncomingRecord> received, String reason, Runnable done) {
        forward(received, plan.parkingTopic(), reason, done);
    }

    private void forward(Received<IncomingRecord> received, String topic, String reason, Runnable done) {
        IncomingRecord record = received.source();
        forwarder.send(
                ForwardHeaders.forward(record.record(), topic, plan.group(), received.attempts(), reason),
                () -> !record.window.isGone(),
                () -> {
                    partitions.finish(record);
                    done.run();
                });
    }

    @Override
    public boolean isLost(IncomingRecord record) {
        return record.window.isLeaving();
    }
}
