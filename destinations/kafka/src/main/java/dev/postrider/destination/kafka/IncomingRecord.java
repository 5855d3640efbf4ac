package dev.postrider.destination.kafka;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.OutboxMessage;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record that was fetched and is not done with. Everything that changes is guarded by the lock of {@link Intake}.
 */
final class IncomingRecord {

    enum State {
        /** An earlier record of its key is not done with. */
        BEHIND_ITS_KEY,
        /** Waits for its time. */
        POSTPONED,
        READY,
        HANDED_OVER,
        /** Settled, but only done with when another topic has it. */
        FORWARDING,
        DONE
    }

    /** What a record says, once it was read. */
    record Content(OutboxMessage message, CloudEventAttributes event) {}

    final PartitionWindow window;
    final long offset;
    final int bytes;
    final Optional<String> key;
    State state = State.BEHIND_ITS_KEY;
    State stateWhenFirst = State.READY;
    int attempt;
    private @Nullable ConsumerRecord<byte[], byte[]> record;
    private @Nullable Content content;

    private IncomingRecord(
            PartitionWindow window, ConsumerRecord<byte[], byte[]> record, @Nullable Content content, int attempt) {
        this.window = window;
        this.offset = record.offset();
        this.bytes = sizeOf(record);
        this.record = record;
        this.content = content;
        this.attempt = attempt;
        this.key = content == null ? Optional.empty() : content.message().key();
    }

    static IncomingRecord readable(
            PartitionWindow window, ConsumerRecord<byte[], byte[]> record, Content content, int attempt) {
        return new IncomingRecord(window, record, content, attempt);
    }

    /** A record that makes no message. */
    static IncomingRecord unreadable(PartitionWindow window, ConsumerRecord<byte[], byte[]> record, int attempt) {
        return new IncomingRecord(window, record, null, attempt);
    }

    private static int sizeOf(ConsumerRecord<byte[], byte[]> record) {
        int size = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        for (Header header : record.headers()) {
            size += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return size;
    }

    ConsumerRecord<byte[], byte[]> record() {
        return required(record);
    }

    Content content() {
        return required(content);
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The record is done with");
        }
        return value;
    }

    /** Lets go of the data: a record that is done with may have to wait long for an earlier one. */
    void markDone() {
        state = State.DONE;
        record = null;
        content = null;
    }
}
