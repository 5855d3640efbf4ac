package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.IncomingRecord.Content;
import dev.postrider.destination.kafka.IncomingRecord.State;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Takes fetched records in, each in the way that it calls for. For the polling thread. */
final class RecordReader {

    private final Intake intake;
    private final RetryPlan plan;
    private final Settlements settlements;
    private final Set<String> types;

    /** @param types which events are wanted; empty for all */
    RecordReader(Intake intake, RetryPlan plan, Settlements settlements, Set<String> types) {
        this.intake = intake;
        this.plan = plan;
        this.settlements = settlements;
        this.types = types;
    }

    void take(ConsumerRecord<byte[], byte[]> record) {
        intake.window(new TopicPartition(record.topic(), record.partition())).ifPresent(window -> take(record, window));
    }

    private void take(ConsumerRecord<byte[], byte[]> record, PartitionWindow window) {
        Optional<Duration> delay = plan.delayOf(record.topic());
        int attempts = delay.isPresent() ? ForwardHeaders.attempts(record) : 0;
        Content content;
        try {
            content = read(record, delay.isPresent());
        } catch (RuntimeException invalid) {
            // Whatever it is: a record that ends the receiver would end the next one too.
            park(IncomingRecord.unreadable(window, record, attempts), invalid);
            return;
        }
        if (!types.isEmpty() && !types.contains(content.message().type())) {
            intake.passOver(IncomingRecord.unreadable(window, record, attempts));
            return;
        }
        IncomingRecord incoming = IncomingRecord.readable(window, record, content, attempts);
        if (delay.isPresent()) {
            takeLater(incoming, remaining(record, delay.get()));
        } else {
            intake.add(incoming, State.READY);
        }
    }

    private void park(IncomingRecord incoming, RuntimeException reason) {
        if (intake.add(incoming, State.FORWARDING)) {
            settlements.parkUnread(incoming, "The record is no CloudEvent: " + reason.getMessage());
        }
    }

    /** Its time runs also while it is behind another one of its key. */
    private void takeLater(IncomingRecord incoming, Duration delay) {
        intake.add(incoming, State.POSTPONED);
        settlements.resumeAfter(incoming, delay);
    }

    /** By the clocks of two machines; a wrong one makes it wait between no time and the whole delay. */
    private static Duration remaining(ConsumerRecord<byte[], byte[]> record, Duration delay) {
        Duration age = Duration.ofMillis(System.currentTimeMillis() - record.timestamp());
        Duration left = delay.minus(age);
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(delay) > 0 ? delay : left;
    }

    private static Content read(ConsumerRecord<byte[], byte[]> record, boolean isRetry) {
        String topic =
                isRetry ? ForwardHeaders.text(record, ForwardHeaders.TOPIC).orElse(record.topic()) : record.topic();
        return CloudEventRecords.read(record, ForwardHeaders.withoutOwn(record.headers()), topic);
    }
}
