package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.destination.kafka.IncomingRecord.Content;
import dev.postrider.destination.kafka.IncomingRecord.State;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class IntakeTest {

    private static final TopicPartition PARTITION = new TopicPartition("billing.retry.1", 0);

    private final Intake intake = new Intake(10, 100, 1_000_000);

    private IncomingRecord added(long offset, State state) {
        intake.open(intake.window(PARTITION).isPresent() ? List.of() : List.of(PARTITION));
        OutboxMessage message =
                OutboxMessage.builder("books").type("a.B").key("key").build();
        IncomingRecord record = IncomingRecord.readable(
                intake.window(PARTITION).orElseThrow(),
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]),
                new Content(message, CloudEventAttributes.of(message, "/test")),
                1);
        intake.add(record, state);
        return record;
    }

    private void handle(IncomingRecord expected) {
        assertThat(intake.beginHandOver()).contains(expected);
        intake.endHandOver();
        intake.finish(expected);
    }

    @Test
    void keepsTheTimeOfARecordThatWaitedBehindAnotherOfItsKey() {
        IncomingRecord first = added(0, State.READY);
        IncomingRecord later = added(1, State.POSTPONED);
        handle(first);

        assertThat(intake.beginHandOver()).isEmpty();
        intake.resume(later);

        handle(later);
    }

    @Test
    void handsOverAtOnceWhatHasWaitedItsTimeBehindAnotherOfItsKey() {
        IncomingRecord first = added(0, State.READY);
        IncomingRecord later = added(1, State.POSTPONED);
        intake.resume(later);
        handle(first);

        handle(later);
    }
}
